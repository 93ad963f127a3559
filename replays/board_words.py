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
    "leaders": ("领先者", "Leaders"),
    "whole_board": ("完整排行榜", "The whole board"),
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
    "order_desc": ("从高到低", "Highest first"),
    "order_asc": ("从低到高", "Lowest first"),
    "min_games": ("至少场数", "Games at least"),
    "show": ("显示", "Show"),
    "points_won": ("积分", "Points"),
    "place": ("名次", "Place"),
    "player": ("牌手", "Player"),
    "me": ("我", "me"),
    "my_page": ("我的成绩", "My results"),
    "my_statement": ("我的对账单", "My statement"),
    "my_place": ("我的名次", "My place with neighbours"),
    "from_the_top": ("从头看", "From the top"),
    "previous_page": ("上一页", "Previous page"),
    "next_page": ("下一页", "Next page"),
    "export": ("导出", "Export"),
    "no_rows": ("还没有符合的结果。", "Nothing has been counted here yet."),
    "clocks": ("回到某一时刻", "Another moment"),
    "clocks_text": (
        (
            "两个时钟各管一事。“打到何时”只算那时之前打完的局；“知道到何时”只算那时之前做"
            "出的更正与裁定。只填前者，是按今天所知应有的样子；两者都填，是当时看到的样子"
            "。"
        ),
        (
            "Two clocks, each with a question of its own. “Played by” counts the hands "
            "that had ended by then. “Known by” counts the corrections and rulings that "
            "had been made by then. The first alone gives the board as it should have "
            "been; both give the board as it was shown."
        ),
    ),
    "as_of": ("打到何时", "Played by"),
    "known_at": ("知道到何时", "Known by"),
    "back_to_now": ("回到现在", "Back to now"),
    "prize_night": ("颁奖之夜", "Prize night"),
    "prize_night_text": (
        "取某天结束时的榜：当晚看到的样子，或按后来的更正应有的样子。两者的差别全出自更正。",
        (
            "The board at the end of a day: as it was shown that evening, or as later "
            "corrections say it should have been. Whatever differs came from a "
            "correction."
        ),
    ),
    "night_day": ("哪一天", "Which day"),
    "as_shown": ("当晚所见", "As it was shown"),
    "as_should_be": ("应有的样子", "As it should have been"),
    "meanings": ("各项的含义", "What the figures mean"),
    "meanings_text": (
        "分以底注为单位。除以零的比率不显示，排在最后。名次相同者并列，其后名次跳过。",
        (
            "Points are in units of the stake. A rate over nothing is a dash and comes "
            "last. Equals share a place, and the places behind them are left out."
        ),
    ),
    "fault_number": ("“{}”不是可用的数。", "“{}” is no number of games."),
    "fault_sort": (
        "不能按“{}”排序，已按积分排。",
        "A board cannot be sorted by “{}”; it is sorted by points.",
    ),
    "fault_order": ("“{}”不是顺序，已从高到低排。", "“{}” is no order; the highest are first."),
    "fault_tiers": (
        "本俱乐部的段位按赛季计：选一个赛季才能按段位排序。",
        "The tiers of this club are those of a season: choose a season to sort by tier.",
    ),
    "fault_place": ("你不在此榜上。", "You are not on this board."),
    "fault_cursor": (
        "这个分页链接不属于此页，已从头显示。",
        "This link to a page is none of this list; here is its beginning.",
    ),
    "fault_season": ("俱乐部没有这个赛季。", "The club has no such season."),
    "fault_ruleset": ("没有规则“{}”。", "There is no ruleset “{}”."),
    "fault_time": ("“{}”不是日期或时间。", "“{}” is no day or time."),
    "fault_month": ("“{}”不是月份，应如 2026-11。", "“{}” is no month; it looks like 2026-11."),
    "fault_period": ("结束日早于开始日。", "The period ends before it begins."),
    "which_games": ("哪些对局", "Which games"),
    "place_by_points": ("积分名次", "Place by points"),
    "no_hands": ("还没有计入的局。", "No hand has been counted yet."),
    "tier": ("段位", "Tier"),
    "score": ("段位分", "Score"),
    "to_next": ("距", "To"),
    "points_missing": ("分", "points to go"),
    "tier_steps": ("升降段记录", "Steps up and down"),
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
    "careful": ("连续未放炮局数", "hands without a deal-in"),
    "items_won": ("胡牌番项", "Items won"),
    "items_won_text": (
        "次数是含此番项的胡牌局数，占比除以同一规则下的胡牌数；番项分与牌值是这些局的平均。",
        (
            "Times are hands won with the item; the share is of all wins under that "
            "ruleset; its points and the worth of the hand are averages over those hands."
        ),
    ),
    "rarer_items": ("其余番项", "Rarer items"),
    "item": ("番项", "Item"),
    "times": ("次数", "Times"),
    "share_of_wins": ("占胡牌", "Of wins"),
    "item_points": ("番项分", "Points"),
    "hand_worth": ("牌值", "Hand"),
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
    "change": ("变化", "Change"),
    "ratings_text": (
        "每场按名次比较同桌各人（OpenSkill），与积分无关。等级分是 μ − 3σ：真实水平几乎必在其上。",
        (
            "Each game compares all who sat in it by place (OpenSkill), whatever the "
            "points. The rating is μ − 3σ: the skill is almost surely above it."
        ),
    ),
    "mu_text": ("估计水平", "the skill that is believed"),
    "sigma_text": ("不确定程度", "how unsure that is"),
    "provisional": ("暂定", "provisional"),
    "ratings_due": ("有些对局正在重新计算。", "Some games are being rated anew."),
    "head_to_head_text": (
        "每格是本行牌手从本列牌手净得的分，下面是同场中积分领先与落后的场数。列出局数最多的人。",
        (
            "A cell is what the player of the row has won from the player of the column; "
            "below it the games in which the one was ahead and behind. Those with the "
            "most hands are listed."
        ),
    ),
    "balances_text": (
        "期初、收、付与期末。所有人与公账合计为零。",
        (
            "Before the period, received, paid, and after it. All players and the pot "
            "together sum to zero."
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
    "to_game": ("整场", "game"),
    "takes_back": ("冲销", "takes back"),
    "taken_back": ("已冲销", "taken back"),
    "no_payments": ("这段时间没有收付。", "There are no payments in this period."),
    "by_kind": ("按种类", "By kind"),
    "by_counterpart": ("按对方", "By counterpart"),
    "payment_count": ("笔数", "Lines"),
}
