"""The words of the pages on which clubs and accounts are kept: Chinese, then English."""

from collections.abc import Mapping
from typing import Final

CLUB_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "keeping": ("管理俱乐部", "Managing the club"),
    "desk": ("管理", "Manage"),
    "members": ("成员", "Members"),
    "players": ("牌手", "Players"),
    "seasons": ("赛季", "Seasons"),
    "presets": ("玩法", "Presets"),
    "ladder": ("段位", "Ladder"),
    "exports": ("导出", "Exports"),
    "imports": ("导入", "Imports"),
    "tokens": ("令牌", "Tokens"),
    "webhooks": ("回调", "Webhooks"),
    "club_settings": ("设置", "Settings"),
    "account": ("账号", "Account"),
    "look_around": ("随便看看", "Look around"),
    "look_around_text": (
        "启动服务的命令会给出示范俱乐部的账号和密码；看对局不用登录。",
        (
            "The command that started the service printed the demonstration accounts and "
            "their password. Games can be watched without signing in."
        ),
    ),
    "look_games": (
        "一步步回放，看每一分从何而来",
        "Step through one and see why every point was given",
    ),
    "look_clubs": (
        "排行榜、牌手、对账单，以及俱乐部的管理",
        "Leaderboards, players, statements and club management",
    ),
    "look_record": ("记一局", "Record a hand"),
    "look_record_text": (
        "在手机上几秒钟记下一局，先看谁付谁",
        "From a phone, in seconds: see who pays whom before it counts",
    ),
    "look_found": (
        "注册后创建自己的俱乐部，邀请牌友",
        "With an account of your own; invite the people you play with",
    ),
    "done": ("已完成。", "Done."),
    "failed": ("没有做成，请重试。", "That did not work. Try again."),
    "no_answer": (
        "没有收到回答。再按一次即可，不会重复执行。",
        "There was no answer. Press again: nothing is done twice.",
    ),
    "needs_script": (
        "这里的表单需要 JavaScript；没有它也能阅读。",
        "The forms here need JavaScript; reading works without it.",
    ),
    "leave_it": ("取消", "Cancel"),
    "signed_out_meanwhile": (
        "登录已失效，填写的内容还在。请登录后回到这里再按一次。",
        (
            "You have been signed out, but what you entered is still here. Sign in, come "
            "back and press again."
        ),
    ),
    "sign_in_new_tab": ("在新标签页登录", "Sign in in a new tab"),
    "search": ("查找", "Search"),
    "show_all": ("显示全部", "Show all"),
    "search_name": ("按名字或账号查找", "Search by name or account"),
    "search_account": ("按账号查找", "Search by account"),
    "nobody_found": ("没有找到。", "Nothing found."),
    "no_players": ("还没有牌手。", "There are no players yet."),
    "shown_once": ("只显示这一次", "Shown once"),
    "copy": ("复制", "Copy"),
    "i_kept_it": ("已存好", "I have kept it"),
    "name": ("名称", "Name"),
    "change": ("更改", "Change"),
    "save": ("保存", "Save"),
    "add": ("添加", "Add"),
    "delete": ("删除", "Delete"),
    "remove": ("移除", "Remove"),
    "rename": ("改名", "Rename"),
    "undo": ("撤销", "Undo"),
    "revoke": ("收回", "Revoke"),
    "read_more": ("说明", "Read more"),
    "since": ("加入于", "since"),
    "state": ("状态", "State"),
    "line": ("行", "Line"),
    "first_day": ("第一天", "First day"),
    "last_day": ("最后一天", "Last day"),
    "good_until": ("有效至", "Valid until"),
    "good_for_days": ("有效天数", "Valid for (days)"),
    "sign_up": ("注册", "Sign up"),
    "username_may": ("字母、数字和 @ . + - _", "Letters, digits and @ . + - _"),
    "password_may": ("至少 8 个字符，不要太常见。", "8 characters or more, and not a common one."),
    "have_account": ("已有账号？", "Already have an account?"),
    "no_account": ("还没有账号？", "No account yet?"),
    "join": ("加入俱乐部", "Join a club"),
    "invited_as": ("你的身份", "Your role"),
    "invited_for": ("接过的记录", "The record you take over"),
    "invited_for_text": (
        "此人以往的成绩将归你。",
        "Everything played under this name becomes yours.",
    ),
    "signed_in_as": ("已登录为", "You are signed in as"),
    "sign_in_to_join": ("登录后加入", "Sign in and join"),
    "sign_up_to_join": ("没有账号？注册后加入", "No account? Sign up and join"),
    "invitation_used": (
        "这份邀请已被使用，每份只能用一次。请向俱乐部再要一份。",
        ("This invitation has been used; each is good for one member. Ask the club for another."),
    ),
    "invitation_revoked": ("俱乐部已收回这份邀请。", "The club has revoked this invitation."),
    "invitation_expired": (
        "这份邀请已过期。请向俱乐部再要一份。",
        "This invitation has expired. Ask the club for another.",
    ),
    "invitation_lost": (
        "这里没有邀请。请完整复制邀请链接，再打开它。",
        "There is no invitation here. Copy the whole invitation link and open it.",
    ),
    "club_new": ("创建俱乐部", "Create a club"),
    "club_new_text": (
        "你将成为会长，可以邀请他人、开设赛季、导入牌谱。",
        "You become its owner and can invite others, plan seasons and import records.",
    ),
    "club_founded": ("俱乐部已创建。", "The club has been created."),
    "found_it": ("创建", "Create"),
    "slug": ("网址短名", "Short name for addresses"),
    "slug_may": (
        "小写字母、数字和连字符，以后不能改。",
        "Lowercase letters, digits and hyphens. It cannot be changed later.",
    ),
    "slug_is": (
        "创建后不再改变，已发出的链接因此一直有效。",
        "It never changes, so every link that was ever sent stays valid.",
    ),
    "set_name_text": (
        "显示在所有页面与导出文件里；网址不变。",
        "Shown on every page and in exports; addresses stay the same.",
    ),
    "time_zone": ("时区", "Time zone"),
    "time_zone_text": (
        "赛季与对账单的“一天”按此时区计算。赛季结束后不能再改。",
        (
            "The days of seasons and statements follow it. It cannot be changed once a "
            "season is closed."
        ),
    ),
    "role": ("身份", "Role"),
    "role_of": ("身份：", "Role of"),
    "roles": ("各身份可做什么", "What each role may do"),
    "role_owner_may": (
        "管理成员、赛季、玩法、段位、令牌与设置，并能做下列一切。",
        (
            "Manages members, seasons, presets, the ladder, tokens and settings, and may "
            "do everything below."
        ),
    ),
    "role_referee_may": (
        "裁定争议，管理牌手与认领。",
        "Rules on disputes; manages players and claims.",
    ),
    "role_recorder_may": (
        "开局、记录，管理牌手与认领，导入牌谱。进行中能看到全部手牌。",
        (
            "Starts, records and imports games; manages players and claims. Sees all tiles "
            "of a live hand."
        ),
    ),
    "role_player_may": (
        "看俱乐部的一切，进行中只看自己的手牌。",
        "Sees everything in the club; in a live hand only their own tiles.",
    ),
    "role_viewer_may": (
        "看俱乐部的一切，进行中的对局按设定延迟。",
        "Sees everything in the club; live games with the delay that is set.",
    ),
    "invite": ("邀请", "Invite"),
    "invite_text": (
        (
            "每个链接只能让一人加入一次。要把客人以往的成绩交给本人，请在“牌手”页那位客人的“更改”"
            "里生成邀请。"
        ),
        (
            "Each link lets one person join, once. To hand a guest's past results to that "
            "person, use Change beside the guest on the players' page."
        ),
    ),
    "for_guest": ("为哪位客人", "For a guest"),
    "nobody_special": ("不指定", "Nobody in particular"),
    "make_link": ("生成链接", "Make a link"),
    "invitation_made": (
        "邀请链接只显示这一次。复制后发给对方。",
        "This link is shown once. Copy it and send it to the person you invite.",
    ),
    "invitations": ("邀请记录", "Invitations"),
    "invitation_used_by": ("已使用：", "used by"),
    "invitation_was_revoked": ("已收回", "revoked"),
    "invitation_was_over": ("已过期", "expired"),
    "add_member": ("直接添加已有账号", "Add someone who has an account"),
    "remove_member_sure": (
        "移除这位成员？其成绩会保留，重新加入前不能入座。",
        ("Remove this member? Their results stay; they cannot take a seat until they join again."),
    ),
    "only_owner": ("你是唯一的会长。", "You are the only owner."),
    "step_down_how": ("怎样卸任？", "How do I step down?"),
    "only_owner_text": (
        "俱乐部不能没有会长：先让另一位成员成为会长，然后你就可以更改自己的身份或退出。",
        (
            "A club needs an owner. Make another member an owner first; then you can "
            "change your role or leave."
        ),
    ),
    "owner_next": ("另一位成员的账号", "Account of another member"),
    "owner_make": ("设为会长", "Make an owner"),
    "owner_make_sure": (
        "会长能做一切，包括移除你。",
        "An owner can do everything, including removing you.",
    ),
    "owner_made": (
        "已多一位会长，现在可以更改自己的身份或退出。",
        "There is another owner now. You can change your role or leave.",
    ),
    "leave_club": ("退出俱乐部", "Leave the club"),
    "leave_club_text": (
        "你的成绩会保留，重新加入前不能入座。",
        "Your results stay; you cannot take a seat until you join again.",
    ),
    "leave_club_sure": ("确定退出这个俱乐部？", "Leave this club?"),
    "guest": ("客人", "guest"),
    "new_player": ("新牌手", "New player"),
    "account_if_any": ("账号（可不填）", "Account, if there is one"),
    "counts_for": ("计入", "counts for"),
    "has_left": ("已离开", "left"),
    "mark_left": ("标为已离开", "Mark as left"),
    "plays_again": ("重新上桌", "Plays again"),
    "this_is_me": ("这是我", "This is me"),
    "claim_sent": ("已提交，等俱乐部决定。", "Sent. The club decides."),
    "claims": ("待决的认领", "Claims to decide"),
    "says_to_be": ("自称是", "claims to be"),
    "waits_for_club": ("等俱乐部决定", "waiting for the club"),
    "accept": ("同意", "Accept"),
    "refuse": ("拒绝", "Refuse"),
    "merge": ("合并同一人的两份记录", "Merge two records of one person"),
    "merge_text": (
        (
            "记录与账目不动，只是这位客人所打的计入另一位；随时可以撤销。同桌打过的必是两人，不能"
            "合并。"
        ),
        (
            "The log and the ledger stay as they are; this guest's results count for "
            "another player, and this can be undone. Two who have sat at one table are two "
            "people and cannot be merged."
        ),
    ),
    "merge_into": (
        "计入这位",
        "Count for this one",
    ),
    "merge_whose": (
        "请在下面选一位，计入其成绩的是",
        "Choose below whose results this record counts for:",
    ),
    "merge_other": ("另选一位", "Choose another"),
    "merge_start": ("计入另一位牌手…", "Count for another player…"),
    "merge_sat_together": (
        "这两位同桌打过，必是两个人，不能合并：",
        "These two have sat at one table, so they are two people and cannot be merged:",
    ),
    "merge_cannot": ("这两份记录不能这样合并。", "These two records cannot be merged this way."),
    "invite_this_guest": ("邀请本人加入", "Invite this person"),
    "claim_accept_sure": (
        "同意后，这份记录归此账号所有，此人能看到这位牌手的手牌。",
        (
            "The record then belongs to this account, which will also see this player's "
            "tiles in live hands."
        ),
    ),
    "claim_sure": (
        "提出后由俱乐部决定；同意后这份记录归你。",
        "The club decides; if it agrees, the record becomes yours.",
    ),
    "mark_left_sure": (
        "其成绩会保留，但不能再入座，直到改回来。",
        "Their results stay; they cannot take a seat until this is changed back.",
    ),
    "invitation_revoke_sure": (
        "收回后，这个链接不能再用来加入。",
        "Nobody can join with this link any more.",
    ),
    "merge_brings": ("将合在一起的", "What is combined"),
    "merge_them": ("合并", "Merge"),
    "merges": ("已合并", "Merged"),
    "merge_undo_sure": (
        "撤销合并？两份记录将各计各的。",
        "Undo the merge? The two records then count separately.",
    ),
    "seasons_text": (
        "首尾两天都算在内，一天按俱乐部的时区计：",
        "Both days are included. Days follow the club's time zone:",
    ),
    "no_seasons": ("还没有赛季。", "There are no seasons yet."),
    "closes_by_itself": ("自动结束于", "closes automatically"),
    "closes_by_hand": ("手动结束", "closed manually"),
    "closes_after_h": (
        "几小时后自动结束（空：手动）",
        "Hours until it closes automatically (empty: manually)",
    ),
    "season_plan": ("安排赛季", "Plan a season"),
    "season_plan_text": (
        "到第一天自动开始。赛季之间不能重叠。",
        "It opens automatically on its first day. Seasons cannot overlap.",
    ),
    "season_do_open": ("开始", "Open"),
    "season_do_close": ("结束", "Close"),
    "season_do_reopen": ("重开", "Reopen"),
    "season_close_sure": (
        "结束赛季？此后只有裁定能改变它的榜单。",
        "Close the season? After that only rulings change its board.",
    ),
    "season_reopen_sure": (
        "重开赛季？其间结算的对局将计入，且须手动结束。",
        (
            "Reopen the season? Games settled in the meantime count, and it must then be "
            "closed manually."
        ),
    ),
    "season_delete_sure": ("删除这个赛季？", "Delete this season?"),
    "presets_text": (
        (
            "玩法是一套取好名字的规则选项，开局时按名字选用。点名字看它的完整规则。改玩法只影响以"
            "后开的对局，进行中的仍按开局时的规则。"
        ),
        (
            "A preset is a set of a ruleset's options under a name; games are started by "
            "that name, and the name links to its full rules. Changes apply to games "
            "started later; games in progress keep the rules they began with."
        ),
    ),
    "no_presets": ("还没有自己的玩法。", "The club has no presets yet."),
    "outdated": ("规则有新版本", "the ruleset has a newer version"),
    "to_version": ("改用版本", "Move to version"),
    "differs": ("与默认不同之处", "Different from the defaults"),
    "differs_nowhere": ("与规则的默认完全相同。", "Nothing: all options are at their defaults."),
    "preset_make": ("新建玩法", "New preset"),
    "preset_make_text": (
        "在规则页选好选项，再在那里存为玩法。",
        "Choose options on a ruleset's page and save them there.",
    ),
    "preset_name": ("存为玩法，名称", "Save these options as"),
    "for_club": ("用于", "For"),
    "preset_keep": ("存为玩法", "Save as a preset"),
    "preset_kept": ("已存为玩法。", "The preset has been saved."),
    "preset_into": ("或写入已有的玩法", "Or save into an existing preset"),
    "preset_change": ("更新玩法", "Update the preset"),
    "preset_changed": (
        "玩法已更新，以后开的对局按它打。",
        "The preset has been updated, for games started from now on.",
    ),
    "preset_change_sure": (
        "以后用这个玩法开的对局按新规则；进行中和打完的对局保持原来的规则。",
        (
            "Games started with it from now on follow the new rules. Games in progress or "
            "finished keep theirs."
        ),
    ),
    "preset_options_change": ("更改它的选项", "Change its options"),
    "preset_change_text": (
        "在规则页选好后，用“更新玩法”存回。",
        "Choose them on the rules page and save them back with “Update the preset”.",
    ),
    "preset_delete_sure": (
        "删除这个玩法？已开始的对局不受影响。",
        "Delete this preset? Games already started with it are not affected.",
    ),
    "ladder_text": (
        "段位由累计分数决定。每次保存都是一个新版本，旧版本永远可查。",
        (
            "Tiers come from accumulated points. Each change is a new version; old "
            "versions can always be seen."
        ),
    ),
    "ladder_default": ("默认段位表", "The default ladder"),
    "ladder_not_in_force": (
        "下面不是现行的段位表；保存后才生效。",
        "This ladder is not in force: it takes effect once you save it.",
    ),
    "ladder_whose": ("按哪些分数", "Whose points count"),
    "ladder_for_ever": ("所有对局", "of all games"),
    "ladder_by_season": ("当季对局", "of the season"),
    "ladder_start": ("起始分", "Starting score"),
    "ladder_demotion": ("掉到门槛以下会降段", "Demotion below the threshold"),
    "tier_number": ("段", "No."),
    "tier_zh": ("中文名", "Name in Chinese"),
    "tier_en": ("英文名", "Name in English"),
    "tier_from": ("达到分数", "Reached at"),
    "tier_add": ("在上面加一段", "Add a tier on top"),
    "tier_before": ("现在", "Now"),
    "tier_after": ("将是", "Then"),
    "tier_score": ("分数", "Score"),
    "ladder_preview": ("看谁会变动", "See who would move"),
    "preview_under": ("按哪种规则看", "See it under"),
    "ladder_counts": ("各段人数", "Players on each tier"),
    "ladder_movers": (
        "会变动的人",
        "Who would move",
    ),
    "nobody_moves": ("没有人会变动。", "Nobody would move."),
    "so_many_move": ("{} 人会变动", "{} would move"),
    "no_tier": ("无", "none"),
    "ladder_versions": ("历次版本", "Versions"),
    "in_force": ("现行", "in force"),
    "ladder_save_sure": (
        "保存为新版本后立即生效，所有人的段位重新计算。",
        "It takes effect at once, as a new version, and everybody's tier is recalculated.",
    ),
    "ladder_wrong_threshold": (
        "须高于下面一段的分数。",
        "It must be higher than the tier below.",
    ),
    "ladder_wrong_name": (
        "1 至 20 个字，首尾无空格，且不与别的段同名。",
        "1 to 20 characters, no spaces around them, and unlike every other tier's.",
    ),
    "movers_first": ("只列出前 200 人。", "Only the first 200 are listed."),
    "ladder_drop": ("恢复默认", "Back to the default"),
    "ladder_drop_sure": (
        "恢复默认段位表？所有人的段位将重新计算。",
        "Go back to the default ladder? Everybody's tier is recalculated.",
    ),
    "exports_text": (
        "文件边生成边下载，大小不限。留空表示不限。",
        "Files are sent while they are generated, however large. Empty fields set no limit.",
    ),
    "export_standings_text": (
        "排行榜：每位牌手一行，含名次、分数、段位与各项数据。",
        "The leaderboard: one line per player with place, points, tier and every figure.",
    ),
    "export_statement_text": (
        "一位牌手的对账单：每笔收付一行，注明对局、第几局、原因与余额。",
        ("One player's statement: one line per payment with game, hand, reason and balance."),
    ),
    "no_such_player": ("没有叫这个名字的牌手。", "There is no player with this name."),
    "export_games_text": (
        "每场每人一行：分数与名次。",
        "One line per player and game: points and place.",
    ),
    "export_logs": ("牌谱", "Logs"),
    "export_logs_text": (
        "逐条事件连同哈希，任何人可以核对，别的俱乐部也能导入。",
        "Every event with its hash: anybody can verify it, and another club can import it.",
    ),
    "file_format": ("格式", "Format"),
    "which_games": ("哪些对局", "Which games"),
    "games_ended": ("已结束的", "ended"),
    "games_all": ("全部", "all"),
    "games_live": ("进行中的", "in progress"),
    "set_rated": ("另设等级分", "Keep ratings beside points"),
    "set_rated_text": (
        "按每场的名次另算一个实力估计，旧对局也计入。分数、段位和排行榜不变。",
        (
            "A second figure that estimates skill from places, past games included. "
            "Points, tiers and boards do not change."
        ),
    ),
    "set_public": ("公开对局", "Let everybody watch"),
    "set_public_text": (
        (
            "打开后，不登录的人也能看本社对局与牌谱（不含进行中的手牌），名字会显示；关闭后只有成"
            "员能看。"
        ),
        (
            "On: anybody can watch games without signing in, with names shown and live "
            "hands hidden. Off: members only."
        ),
    ),
    "set_delay": ("观众延迟（秒）", "Delay for viewers, in seconds"),
    "set_delay_text": (
        (
            "进行中的对局，不记录、不裁判、不在座的人晚这么久才看到；0 为不延迟。结算后的排行榜不"
            "受影响。"
        ),
        (
            "Those who neither record, rule nor play see a live game this much later; 0 is "
            "no delay. Boards, which count settled hands, are not delayed."
        ),
    ),
    "zone_is_fixed": (
        "有已结束的赛季，改时区会移动它的首尾，因此不能改。要改请先重开赛季：",
        (
            "A season is closed, and another time zone would move its days. To change it, "
            "reopen the season first:"
        ),
    ),
    "club_tokens_text": (
        "给替俱乐部办事的程序用。令牌不属于任何人，创建者离开后仍然有效。",
        (
            "For programs that act for the club. Such a token belongs to nobody: it stays "
            "valid when its creator leaves."
        ),
    ),
    "own_tokens": ("我的令牌", "My tokens"),
    "own_tokens_text": ("给替你办事的程序用。", "For programs that act as you."),
    "no_tokens": ("还没有令牌。", "There are no tokens yet."),
    "token_make": ("创建令牌", "Create a token"),
    "token_for": ("用途", "Purpose"),
    "token_may": ("可以做什么", "What it may do"),
    "token_clubs": (
        "只限这些俱乐部（不选则全部）",
        "Only in these clubs (none chosen: all of yours)",
    ),
    "token_made": (
        "令牌只显示这一次，请存到安全的地方。",
        "This token is shown once. Store it somewhere safe.",
    ),
    "token_revoked": ("已收回", "revoked"),
    "token_expired": ("已过期", "expired"),
    "token_revoke_sure": (
        "收回这个令牌？使用它的程序将立即失效。",
        "Revoke this token? Programs that use it stop working at once.",
    ),
    "last_used": ("上次使用", "last used"),
    "never_used": ("从未使用", "never used"),
    "webhooks_text": (
        "俱乐部里发生的事，会以签名消息发到这些地址。",
        "What happens in the club is posted to these addresses, signed.",
    ),
    "no_webhooks": ("还没有回调。", "There are no webhooks yet."),
    "webhook_make": ("添加回调", "Add a webhook"),
    "webhook_url": ("地址（https）", "Address (https)"),
    "webhook_about": ("备注", "Note"),
    "webhook_types": ("通知哪些事", "Notify about"),
    "webhook_on": ("正常", "on"),
    "webhook_off": ("已停用", "switched off"),
    "webhook_gone": ("已停用：对方回答 410", "off: the receiver answered 410"),
    "webhook_failed": ("已停用：连续失败三天", "off: it failed for three days"),
    "webhook_failing_since": ("失败中，自", "failing since"),
    "webhook_secret_number": ("密钥编号", "Secret number"),
    "webhook_old_until": ("旧密钥有效至", "old secrets sign until"),
    "webhook_secret_made": (
        "签名密钥只显示这一次，请存到接收程序里。",
        "This signing secret is shown once. Store it with the receiver.",
    ),
    "webhook_rotate": ("更换密钥", "Rotate the secret"),
    "webhook_rotate_text": (
        "更换期间新旧密钥同时签名。若已泄漏，填 0。",
        (
            "Both secrets sign in the meantime, so that the receiver can change over. "
            "After a leak, enter 0."
        ),
    ),
    "webhook_overlap": ("旧密钥再用几小时", "Hours the old one stays valid"),
    "webhook_ping": ("发测试消息", "Send a test"),
    "webhook_pinged": (
        "测试消息已排队，结果见下方记录。",
        "The test is on its way; the result appears in the log below.",
    ),
    "webhook_off_sure": (
        "停用期间的消息不会发送；启用后可以补发。",
        "Nothing is sent while it is off; what was missed can be sent afterwards.",
    ),
    "webhook_switch_off": ("停用", "Switch off"),
    "webhook_switch_on": ("启用", "Switch on"),
    "webhook_delete_sure": ("删除这个回调及其记录？", "Delete this webhook and its log?"),
    "deliveries": ("投递记录", "Deliveries"),
    "deliveries_text": (
        "保留 30 天。时间按俱乐部的时区。",
        "Kept for 30 days. Times are in the club's time zone.",
    ),
    "no_deliveries": ("没有记录。", "Nothing here."),
    "every_state": ("全部", "All"),
    "delivery_waiting": ("等待", "waiting"),
    "delivery_delivered": ("已送达", "delivered"),
    "delivery_failed": ("失败", "failed"),
    "attempts": ("尝试", "Attempts"),
    "send_again": ("重发", "Send again"),
    "sent_again": ("已排队重发。", "It is being sent again."),
    "replay": ("重发一段时间的消息", "Send again everything since a moment"),
    "replay_text": ("停用期间错过的也会补发。", "What was missed while it was off is sent too."),
    "since_when": ("从何时起", "Since"),
    "failed_only": ("不重发已送达的", "Skip what was delivered"),
    "imports_text": (
        "一次上传多场对局的文件（NDJSON，可用 gzip 压缩）。同一文件再传不会重复记录。",
        (
            "A file of many games (NDJSON, optionally gzip). Uploading the same file again "
            "records nothing twice."
        ),
    ),
    "import_file": ("文件", "File"),
    "import_send": ("上传", "Upload"),
    "import_sending": ("正在上传", "Uploading"),
    "no_imports": ("还没有导入过。", "Nothing has been imported yet."),
    "all_imports": ("全部导入", "All imports"),
    "import_receiving": ("未传完", "upload incomplete"),
    "import_working": ("处理中", "processing"),
    "import_ended": ("已完成", "done"),
    "import_cancelled": ("已取消", "cancelled"),
    "import_lines": ("行数", "Lines"),
    "import_recorded": ("已记录", "Recorded"),
    "import_refused": ("被拒", "Refused"),
    "import_waiting": ("等待", "Waiting"),
    "import_faults": ("有误的行", "Refused lines"),
    "import_faults_text": (
        "一场对局记到第一条不合规则的行为止。改正后再传同一文件即可。",
        ("A game is recorded up to its first illegal line. Correct the file and upload it again."),
    ),
    "import_seq": ("序号", "seq"),
    "import_games": ("文件里的对局", "Games in the file"),
    "import_refused_from": ("有误，只记到出错的行为止", "recorded up to the faulty line"),
    "import_look_again": (
        "没有 JavaScript 时，请刷新页面看进度。",
        "Without JavaScript, reload the page to see the progress.",
    ),
    "import_progress": ("进度", "Progress"),
    "import_cancel": ("取消导入", "Cancel the import"),
    "import_cancel_sure": (
        "取消导入？已记录的会保留。",
        "Cancel the import? What has been recorded stays.",
    ),
    "import_events": ("事件", "Events"),
    "language": ("语言", "Language"),
    "language_text": (
        "记在这个浏览器里，错误提示也用这种语言。",
        "Stored in this browser; error messages use it too.",
    ),
    "password_change": ("更改密码", "Change the password"),
    "password_change_text": (
        "其他浏览器与程序的登录会全部结束，你创建的令牌不受影响。",
        "All your other sign-ins end; tokens that you created stay.",
    ),
    "password_now": ("现在的密码", "Current password"),
    "password_new": ("新密码", "New password"),
    "password_changed": (
        "密码已更改，其他登录都已结束。",
        "The password has been changed, and all other sign-ins have ended.",
    ),
    "looks": ("语言与外观", "Language and appearance"),
    "theme_system": ("跟随系统", "Same as the system"),
    "theme_light": ("浅色", "Light"),
    "theme_dark": ("深色", "Dark"),
    "own_players": ("我的牌手记录", "Your players"),
    "own_players_text": (
        "你在各俱乐部以这些名字打牌。客人的记录若是你打的，可在该俱乐部的“牌手”页认领。",
        (
            "The names under which you play. If a guest's record is yours, claim it on "
            "that club's players' page."
        ),
    ),
    "sign_ins": ("登录中的设备", "Where you are signed in"),
    "sign_ins_text": (
        "有不认识的，就退出它，并更改密码。",
        "If you do not recognise one, sign it out and change your password.",
    ),
    "this_browser": ("本机", "this one"),
    "device_unknown": ("未知设备", "An unknown device"),
    "last_seen": ("最近使用", "last used"),
    "sign_in_program": ("程序", "A program"),
    "sign_out_elsewhere": ("退出其他所有登录", "Sign out everywhere else"),
    "sign_out_elsewhere_sure": (
        "结束这个浏览器以外的所有登录？",
        "End every sign-in except this one?",
    ),
    "removal_needs_owner": (
        "你是下列俱乐部唯一的会长。注销前，先让另一位成员成为会长：",
        "You are the only owner of these clubs. Make another member an owner first:",
    ),
    "sign_out_everywhere": ("全部退出", "Sign out everywhere"),
    "sign_out_everywhere_sure": (
        "结束所有登录，包括这一个？",
        "End every sign-in, including this one?",
    ),
    "signed_out_everywhere": ("已全部退出。", "All sign-ins have ended."),
    "removal": ("注销账号", "Delete the account"),
    "removal_goes": ("会删除的", "What is deleted"),
    "removal_goes_text": (
        "你的名字、联系方式、登录、令牌和在各俱乐部的成员身份。",
        "Your name, contact, sign-ins, tokens and memberships.",
    ),
    "removal_stays": ("会保留的", "What stays"),
    "removal_stays_text": (
        "你打过的对局，以一个不指向任何人的编号保留，这样同桌的成绩与账目才能成立。",
        (
            "The games you played, under ids that lead to nobody, so that the others' "
            "results and balances stand."
        ),
    ),
    "removal_sure": (
        "永久注销账号？无法恢复。",
        "Delete your account for good? This cannot be undone.",
    ),
    "removal_done": ("账号已注销。", "The account has been deleted."),
}
