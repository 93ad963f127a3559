"""The words of boards, players' pages and statements: Chinese, then English."""

from collections.abc import Mapping
from typing import Final

BOARD_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "clubs": ("俱乐部", "Clubs"),
    "no_clubs": ("你还没有加入任何俱乐部。", "You are not in a club yet."),
    "role_owner": ("会长", "owner"),
    "role_referee": ("裁判", "referee"),
    "role_recorder": ("记录员", "recorder"),
    "role_player": ("牌手", "player"),
    "role_viewer": ("观众", "viewer"),
    "board": ("排行榜", "Leaderboard"),
    "ratings": ("等级分", "Ratings"),
    "head_to_head": ("交手", "Head-to-head"),
    "balances": ("账目", "Balances"),
    "statement": ("对账单", "Statement"),
    "whole_board": ("完整排行榜", "Full leaderboard"),
    "latest_games": ("最近对局", "Latest games"),
    "all_games": ("全部对局", "All games"),
    "season": ("赛季", "Season"),
    "season_open": ("进行中", "open"),
    "season_closed": ("已结束", "closed"),
    "season_planned": ("未开始", "planned"),
    "all_time": ("全部时间", "All time"),
    "ruleset": ("规则", "Ruleset"),
    "all_rulesets": ("全部规则", "All rulesets"),
    "sort_by": ("按此排序", "Sort by"),
    "order": ("顺序", "Order"),
    "order_desc": ("从高到低", "highest first"),
    "order_asc": ("从低到高", "lowest first"),
    "show": ("显示", "Show"),
    "points_won": ("积分", "Points"),
    "place": ("名次", "Place"),
    "player": ("牌手", "Player"),
    "me": ("我", "me"),
    "my_page": ("我的成绩", "My results"),
    "my_statement": ("我的对账单", "My statement"),
    "export": ("导出", "Export"),
    "no_rows": ("还没有符合的结果。", "No results yet."),
    "back_to_now": ("回到现在", "Back to now"),
    "prize_night": ("颁奖之夜", "Prize night"),
    "prize_night_text": (
        "取某天结束时的榜：当晚看到的样子，或按后来的更正应有的样子。两者的差别全出自更正。",
        (
            "The board at the end of a day, as it was shown that evening or as later "
            "corrections say it should have been. Any difference comes from a correction."
        ),
    ),
    "night_day": ("哪一天", "Which day"),
    "as_shown": ("当晚所见", "As it was shown"),
    "as_should_be": ("应有的样子", "As it should have been"),
    "meanings": ("各项的含义", "What the figures mean"),
    "fault_sort": (
        "不能按“{}”排序，已按积分排。",
        "A board cannot be sorted by “{}”; it is sorted by points.",
    ),
    "fault_order": (
        "“{}”不是顺序，已从高到低排。",
        "“{}” is not an order; the highest come first.",
    ),
    "fault_tiers": (
        "本俱乐部的段位按赛季计：选一个赛季才能按段位排序。",
        "The tiers of this club are those of a season: choose a season to sort by tier.",
    ),
    "fault_place": ("你不在此榜上。", "You are not on this board."),
    "fault_cursor": (
        "这个分页链接不属于此页，已从头显示。",
        "This page link belongs to another list; here is the first page.",
    ),
    "fault_season": ("俱乐部没有这个赛季。", "The club has no such season."),
    "fault_ruleset": ("没有规则“{}”。", "There is no ruleset “{}”."),
    "fault_time": ("“{}”不是日期或时间。", "“{}” is not a date or time."),
    "fault_month": ("“{}”不是月份，应如 2026-11。", "“{}” is not a month; write it like 2026-11."),
    "fault_period": ("结束日早于开始日。", "The period ends before it begins."),
    "which_games": ("哪些对局", "Which games"),
    "place_by_points": ("积分名次", "Place by points"),
    "no_hands": ("还没有计入的局。", "No hand has been counted yet."),
    "tier": ("段位", "Tier"),
    "to_next": ("距{0}还差 {1} 分", "{1} points to {0}"),
    "tier_steps": ("升降段记录", "Promotions and demotions"),
    "tier_step": ("升降", "Step"),
    "step_up": ("升", "up"),
    "step_down": ("降", "down"),
    "cause": ("缘由", "Cause"),
    "by_ruling": ("裁定", "a ruling"),
    "time": ("时间", "Time"),
    "points_over_time": ("积分走势", "Points over time"),
    "places": ("名次分布", "Places"),
    "share_of_games": ("占场数的比例", "Share of games"),
    "games_played": ("场数", "Games"),
    "hands_played": ("局数", "Hands"),
    "streaks": ("连续纪录", "Streaks"),
    "in_a_row": ("连续", "In a row"),
    "longest": ("最长", "Longest"),
    "at_present": ("目前", "Now"),
    "hands_won": ("连胡局数", "hands won"),
    "games_won": ("连得第一场数", "games won"),
    "careful": ("连续未点炮局数", "hands without a deal-in"),
    "items_won": ("胡牌番项", "Items won"),
    "items_won_text": (
        "次数是含此番项的胡牌局数，占比除以同一规则下的胡牌数；番项分与牌值是这些局的平均。",
        (
            "Times: hands won with the item. Share: of all wins under that ruleset. Points "
            "and hand value are averages over those hands."
        ),
    ),
    "rarer_items": ("其余番项", "Rarer items"),
    "item": ("番项", "Item"),
    "times": ("次数", "Times"),
    "share_of_wins": ("占胡牌", "Of wins"),
    "item_points": ("番项分", "Points"),
    "hand_worth": ("牌值", "Hand value"),
    "gangs_by_kind": ("杠", "Gangs"),
    "gang_kind": ("种类", "Kind"),
    "declared": ("开杠", "Declared"),
    "paid_for": ("有收", "Paid for"),
    "robbed": ("被抢", "Robbed"),
    "partners": ("同桌", "Partners and rivals"),
    "gains_most_from": ("赢得最多：", "Gains most from"),
    "loses_most_to": ("输得最多：", "Loses most to"),
    "ahead": ("领先", "Ahead"),
    "level": ("持平", "Level"),
    "net": ("净分", "Net"),
    "game": ("对局", "Game"),
    "biggest_hands": ("最大牌", "Biggest hands"),
    "worth": ("分值", "Worth"),
    "rating": ("等级分", "Rating"),
    "rating_change": ("变化", "Change"),
    "provisional": ("暂定", "provisional"),
    "ratings_due": ("有些对局正在重新计算。", "Some games are being rated again."),
    "head_to_head_text": (
        "每格是本行牌手从本列牌手净得的分，下面是同场中积分领先与落后的场数。列出局数最多的人。",
        (
            "Each cell is what the player of the row has won from the player of the "
            "column; below it, the games in which they finished ahead and behind. The "
            "players with the most hands are listed."
        ),
    ),
    "month": ("月份", "Month"),
    "from_day": ("从", "From"),
    "to_day": ("到", "To"),
    "opening": ("期初", "Opening"),
    "received": ("收", "Received"),
    "paid": ("付", "Paid"),
    "closing": ("期末", "Closing"),
    "pot": ("公账", "The pot"),
    "counterpart": ("对方", "With"),
    "balance": ("余额", "Balance"),
    "carried": ("承上页", "Carried over"),
    "booked": ("入账", "booked"),
    "takes_back": ("冲销", "takes back"),
    "taken_back": ("已冲销", "taken back"),
    "no_payments": ("这段时间没有收付。", "There are no payments in this period."),
    "by_kind": ("按种类", "By kind"),
    "by_counterpart": ("按对方", "By counterpart"),
    "payment_count": ("笔数", "Lines"),
    "overview": ("概况", "Overview"),
    "leaders": ("领先", "Leaders"),
    "choose": ("选择", "Choose"),
    "change_choice": ("筛选", "Filter"),
    "sorted_by": ("按{}{}", "{}, {}"),
    "at_least_games": ("至少 {} 场", "at least {} games"),
    "at_least_hands": ("至少 {} 局", "at least {} hands"),
    "everybody": ("全部牌手", "Everybody"),
    "min_games": ("至少几场", "Minimum games"),
    "min_hands": ("至少几局", "Minimum hands"),
    "you_are": ("你排", "You are"),
    "place_told": ("第 {} 名", "No. {}"),
    "my_place": ("看我前后的人", "Show me on the board"),
    "not_placed": (
        "你在这一段时间还没有计入的局。",
        "No hand of yours has been counted here yet.",
    ),
    "pages": ("分页", "Pages"),
    "players_counted": ("人", "players"),
    "previous_page": ("上一页", "Previous page"),
    "next_page": ("下一页", "Next page"),
    "from_the_top": ("回到榜首", "From the top"),
    "days_left": ("进行中，还剩 {} 天", "in progress, {} days left"),
    "last_day": ("进行中，今天是最后一天", "in progress, last day today"),
    "season_over": ("已到期，等待封榜", "ended, to be closed"),
    "plan_season": ("安排一个赛季", "Plan a season"),
    "played_now": ("正在打", "In play"),
    "none_over": ("还没有打完的对局。", "No game has finished yet."),
    "begin_club": ("俱乐部还没有对局", "No games yet"),
    "begin_players": ("添加牌手", "Add the players"),
    "begin_players_text": (
        "写下名字即可，不必有账号。",
        "A name is enough; nobody needs an account.",
    ),
    "begin_members": ("邀请成员", "Invite members"),
    "begin_members_text": (
        "发一个邀请链接：记牌的、当裁判的、看榜的。",
        "Send a link to those who record, rule or watch.",
    ),
    "begin_record": ("记第一场牌", "Record the first game"),
    "begin_record_text": (
        "在手机上一局一局记，分数自动算好。",
        "Hand by hand on a phone; the points are worked out for you.",
    ),
    "clocks": ("看过去某一刻", "A moment of the past"),
    "clocks_text": (
        ("只填第一个：那一刻的成绩，按后来的全部更正改好。两个填同一时刻：当时大家看到的样子。"),
        (
            "Only the first filled in: that moment, with every correction made since. The "
            "same moment in both: exactly what everybody saw then."
        ),
    ),
    "as_of": ("打到", "Played by"),
    "as_of_field": ("只算这之前打完的局", "Hands played by"),
    "as_of_text": ("之后打的局都不算。", "Anything played later is left out."),
    "known_at": ("裁定到", "Known by"),
    "known_at_field": ("只算这之前的更正与裁定", "Corrections and rulings made by"),
    "known_at_text": (
        "之后才录入、更正或裁定的都不算。不填即按今天所知。",
        (
            "Anything recorded, corrected or ruled later is left out. Empty: all that is "
            "known today."
        ),
    ),
    "no_rows_then": (
        "到那一刻为止还没有录入任何一局，所以什么也看不到。",
        "Nothing had been recorded here by then, so there was nothing to see.",
    ),
    "meanings_text": (
        "分以底注为单位。没有可算的比率显示为横线，排在最后。同分并列，其后名次顺延。",
        (
            "Points are in units of the stake. A rate with nothing to count is a dash and "
            "comes last. Ties share a place, and the next places are skipped."
        ),
    ),
    "fault_number": ("“{}”不是可用的数。", "“{}” is not a number that can be used here."),
    "score": ("段位分", "Tier score"),
    "reached": ("达到于", "reached on"),
    "at_the_table": ("同桌", "At the table"),
    "all_against_all": ("全部牌手的交手", "Everybody against everybody"),
    "ratings_text": (
        (
            "等级分衡量谁更强，只看每场的名次，与输赢多少无关。没打够十场的为暂定。"
            "等级分 = 估计水平 − 3 × 不确定程度，所以打得越多越准（OpenSkill）。"
        ),
        (
            "The rating estimates who is stronger. It uses only the places in each game, "
            "not the points, and is provisional for the first ten games. It is the "
            "estimated skill minus three times its uncertainty, so it settles as more "
            "games are played (OpenSkill)."
        ),
    ),
    "mu_text": ("估计水平", "Estimated skill"),
    "sigma_text": ("不确定程度", "Uncertainty"),
    "not_rated": ("本俱乐部没有开启等级分。", "This club does not keep ratings."),
    "not_rated_text": (
        "等级分是积分榜之外的另一张榜：按每场名次衡量谁更强，不影响积分和段位。",
        (
            "Ratings are a second board: they estimate who is stronger from the places in "
            "each game, and change neither points nor tiers."
        ),
    ),
    "to_settings": ("去设置里开启", "Turn them on in the settings"),
    "ask_owner_to_rate": (
        "会长可以在俱乐部设置里开启，以前的对局也会补算。",
        "An owner can turn them on in the club's settings; past games are rated too.",
    ),
    "balances_text": (
        "每人这段时间的收与付。一方所付即另一方所收，所以所有人与公账合计为零。",
        (
            "What each player received and paid in this period. What one pays another "
            "receives, so all players and the pot together sum to zero."
        ),
    ),
    "statement_text": (
        "每一笔收付，按场次列出。每一局中各家的收付合计为零。点“第几局”看牌谱里的那一刻，点规则编号看条文。",
        (
            "Every payment, game by game. The payments of a hand sum to zero. A hand's "
            "number leads to its moment in the replay, a rule's number to its text."
        ),
    ),
    "on_this_page": ("本页小计", "on this page"),
    "beside_hands": ("局外", "Outside the hands"),
    "print": ("打印", "Print"),
}
