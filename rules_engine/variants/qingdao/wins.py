"""When a hand of Qingdao mahjong may be won, and what a win carries (QD-28 to QD-33, QD-69)."""

from msgspec.structs import replace

from rules_engine.errors import Violation
from rules_engine.events import Hu
from rules_engine.facts import WinFacts
from rules_engine.table import NOTHING, SEATS, Table, changed
from rules_engine.tiles import (
    FLOWERS_MASK,
    NAMES,
    ONE,
    Tiles,
    count,
    has,
    kinds_in,
    parse,
    write,
)
from rules_engine.variants.qingdao.deal import Deal
from rules_engine.variants.qingdao.flags import huang_flags
from rules_engine.variants.qingdao.hands import best, winning_shape
from rules_engine.variants.qingdao.legality import after_shape, before_shape
from rules_engine.variants.qingdao.state import (
    QingdaoTable,
)


class Wins(Deal):
    """The tests of a win, the facts of the moment, and the bars after one let go."""

    def holds_tile(self, table: Table) -> bool:
        """QD-19: after a claim nobody wins or makes a gang; a declaration waits for its discard."""
        return not (table.extra.claimed or table.extra.declaring)

    def own_tile(self, table: Table) -> int:
        """The tile a seat wins on by itself: the drawn one or, when it was laid, the best left."""
        if table.drawn != NOTHING or table.phase != "act":
            return table.drawn
        seat = table.turn
        concealed = table.seats[seat].concealed
        found = []
        for kind in kinds_in(concealed):
            win = self.win_facts(table, seat, kind, by="zimo")
            chosen = best(self.hand(table, seat, concealed, kind), win, self.options)
            if chosen is not None:
                found.append((chosen.total, -kind))
        return -max(found)[1] if found else NOTHING

    def on_hu(self, table: Table, event: Hu, seq: int) -> Table:
        """QD-35, QD-38: only a gang added to a peng is robbed."""
        robs = table.offer is not None and table.offer.gang
        if event.by == "qiang_gang" and not robs:
            raise self.stop("not_robbable", "No gang that can be robbed is on offer.")
        if event.by == "zimo" and table.offer is None and self.own_tile(table) == NOTHING:
            raise self.stop("shape", f"The tiles of seat {event.seat} are no winning shape.")
        return super().on_hu(table, event, seq)

    def winning(self, table: Table, seat: int, kind: int, *, by: str) -> Violation | None:
        """The tests of QD-69 for a hand being played."""
        holder = table.seats[seat]
        concealed = holder.concealed
        if by != "zimo":
            if self.options.zimo_only:
                return self.no("zimo_only", "This club allows self-drawn wins only.")
            concealed += ONE[kind]
            if concealed & FLOWERS_MASK or kind == table.wild:
                return before_shape(seat, concealed, (), kind, table.wild, by=by)
        elif concealed & FLOWERS_MASK:
            return before_shape(seat, concealed, (), kind, table.wild, by=by)
        wild = table.wild
        wilds = 0 if wild == NOTHING else count(concealed, wild)
        natural = concealed - wilds * ONE[wild] if wilds else concealed
        if not winning_shape(natural, wilds, len(holder.melds), self.options):
            return self.no("shape", f"The tiles of seat {seat} are no winning shape.")
        options = self.options
        if wilds or options.guo_hu or options.min_points or (table.wins and not options.multi_win):
            return self.after_shape(table, seat, kind, concealed, by=by)
        return None

    def after_shape(
        self, table: Table, seat: int, kind: int, concealed: Tiles, *, by: str
    ) -> Violation | None:
        """The tests of QD-69 that come after the shape."""
        win = self.win_facts(table, seat, kind, by=by)
        hand = self.hand(table, seat, concealed, kind)
        chosen = best(hand, win, self.options)
        assert chosen is not None, "the shape has been found good"
        violation = after_shape(hand, chosen, win, self.options)
        if violation is None and table.wins and not self.options.multi_win:
            first = table.wins[0].seat
            return self.no(
                "not_nearest",
                f"Only one seat wins on a tile, and seat {first} has.",
                expected=first,
                actual=seat,
            )
        return violation

    def win_facts(self, table: Table, seat: int, kind: int, *, by: str) -> WinFacts:
        """The facts of a win at this moment, as far as its worth goes."""
        holder = table.seats[seat]
        own = by == "zimo"
        return WinFacts(
            seat=seat,
            by=by,  # type: ignore[arg-type]  # the three words of ``chance``
            tile=NAMES[kind],
            concealed=write(holder.concealed - ONE[kind] if own else holder.concealed),
            melds=holder.melds,
            flowers=write(holder.flowers),
            flags=self.flags(table, seat, by=by),
        )

    def flags(self, table: Table, seat: int, *, by: str) -> tuple[str, ...]:
        """The facts of the moment (section 15)."""
        extra: QingdaoTable = table.extra
        found = []
        untouched = not extra.touched >> seat & 1
        if by == "zimo":
            kai = {"gang": "gang_kai", "niu": "niu_kai", "flower": "hua_kai"}.get(extra.cause)
            if kai:
                found.append(kai)
            if extra.late and self.options.mode == "quan_dai_jiang":
                found.append("hai_di")
            if untouched:
                found.append("tian_hu" if seat == table.dealer else "di_hu")
        elif by == "dianpao" and untouched:
            found.append("di_hu")
        if extra.lou[seat]:
            found.append(extra.lou[seat])
        found += self.hidden_flowers(table, seat)
        found += huang_flags(extra.huang_run)
        offer = table.offer
        if offer is not None and has(parse(extra.no_hu[seat]), ONE[offer.kind]):
            found.append("guo_hu")
        return tuple(found)

    def after_chance(self, table: Table) -> Table:
        """QD-32, QD-33: who lets a peng or a win go is barred from it until the own next draw."""
        offer = table.offer
        options = self.options
        if offer is None or not (options.guo_peng or options.guo_hu):
            return table
        for seat in SEATS:
            if options.guo_hu and self.may_win(table, seat):
                table = self.after_pass(table, seat)
            if options.guo_peng and seat != offer.seat and not offer.gang:
                table = self.bar_peng(table, seat, offer.kind)
        return table

    def bar_peng(self, table: Table, seat: int, kind: int) -> Table:
        """QD-32 for a seat that could have claimed this kind."""
        extra: QingdaoTable = table.extra
        able = count(table.seats[seat].concealed, kind) > 1 and kind != table.wild
        barred = parse(extra.no_peng[seat])
        if not able or extra.lou[seat] or count(barred, kind):
            return table
        no_peng = changed(extra.no_peng, seat, write(barred + ONE[kind]))
        return replace(table, extra=replace(extra, no_peng=no_peng))

    def after_pass(self, table: Table, seat: int) -> Table:
        """QD-33: a win on another seat's tile was let go expressly."""
        offer = table.offer
        if offer is None or not self.options.guo_hu:
            return table
        extra: QingdaoTable = table.extra
        barred = parse(extra.no_hu[seat])
        no_hu = changed(extra.no_hu, seat, write(barred | ONE[offer.kind]))
        return replace(table, extra=replace(extra, no_hu=no_hu))
