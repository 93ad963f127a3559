"""What the items are worth under some options, as the rule page says it (QD-73)."""

from rules_engine.score import NOT_COUNTED, Worth, amount, factor_of
from rules_engine.variants.qingdao.options import QingdaoOptions


def counts(where: str, options: QingdaoOptions) -> bool:
    """Whether the mode and the hun let such items count at all (column M of QD-73)."""
    if where == "hun":
        return options.hun
    return where == "all" or options.mode == "quan_dai_jiang"


def priced(item_id: str, where: str, options: QingdaoOptions) -> Worth:
    """The price of the item's own name, where the mode counts it."""
    return amount(getattr(options.values, item_id)) if counts(where, options) else NOT_COUNTED


def product_worth(options: QingdaoOptions) -> Worth:
    """番相乘: what multiplying the hand types makes more than adding them."""
    if options.combine == "multiply":
        return Worth("乘积与和之差", "the product less the sum")
    return NOT_COUNTED


def huang_worth(options: QingdaoOptions) -> Worth:
    """荒庄翻倍: the factor after hands nobody won."""
    by, most = options.huang_multiplier, options.huang_max
    if not options.huang_cumulative or by == 1:
        return factor_of(by)
    return Worth(f"每局 ×{by}，至多 ×{most}", f"×{by} a hand, at most ×{most}")


def cap_worth(options: QingdaoOptions) -> Worth:
    """封顶: the most a hand is worth."""
    cap = options.cap
    return Worth(f"至多 {cap:,}", f"at most {cap:,}") if cap else NOT_COUNTED
