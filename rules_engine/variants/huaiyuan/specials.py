"""Special gangs of Huaiyuan mahjong: opening, adding, robbing by peng (HY-40 to HY-48)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rules_engine import events
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event
from rules_engine.facts import Meld
from rules_engine.table import NOTHING, Offer, Table, with_seat
from rules_engine.tiles import KIND, NAMES, ONE, Tiles, count, has, kinds_in, parse, size, write
from rules_engine.variants.huaiyuan.bao import Bao
from rules_engine.variants.huaiyuan.hands import waited_for
from rules_engine.variants.huaiyuan.melds import SPECIAL, domain, is_enabled, melded
from rules_engine.variants.huaiyuan.state import Gang, HuaiyuanTable, Pass, Peng

XUANFENG = "xuanfeng_gang"


class Specials(Bao):
    """Openings and additions in the own turn, or in the window after the deal."""

    def on_gang(self, table: Table, event: events.Gang, seq: int) -> Table:
        """A special gang opens, a tile is added to one, or four of a kind are declared."""
        if event.kind not in SPECIAL:
            if event.tile not in KIND:
                raise self.stop("bad_meld", "Name the tile of the gang.", actual=event.tile)
            return super().on_gang(table, event, seq)
        self.expect_turn(table, event.seat)
        tiles = event.tiles if isinstance(event, Gang) else ""
        if bool(tiles) == bool(event.tile) or event.from_ is not None:
            raise self.stop(
                "bad_meld",
                "A special gang opens with tiles, its base set, or is given one tile.",
                expected="tiles or tile, and no from",
                actual={"tiles": tiles, "tile": event.tile, "from": event.from_},
            )
        if tiles:
            return self.on_opening(table, event.seat, event.kind, tiles, seq)
        return self.on_addition(table, event.seat, event.kind, KIND[event.tile], seq)

    # --- opening ----------------------------------------------------------------------------------

    def refuse_opening(self, table: Table, seat: int, kind: str) -> Violation | None:
        """HY-40 to HY-42: why the seat may not open this gang now."""
        extra: HuaiyuanTable = table.extra
        holder = table.seats[seat]
        if not is_enabled(kind, self.options):
            return self.no("special_disabled", f"This club plays without {kind}.")
        in_window = extra.window == seat
        if (
            extra.declaring
            or extra.acted >> seat & 1
            or (self.options.special_gang_window == "deal" and not in_window)
        ):
            return self.no("special_window_closed", f"Seat {seat} may open no special gang now.")
        if any(meld.kind == kind for meld in holder.melds):
            return self.no("special_duplicate", f"Seat {seat} has a {kind} already.")
        base = SPECIAL[kind]
        if not has(holder.concealed, base):
            return self.no(
                "tile_not_held",
                f"Seat {seat} does not hold {write(base)}.",
                expected=write(holder.concealed),
                actual=write(base),
            )
        dealt = parse(extra.dealt[seat])
        if any(count(dealt, tile) <= self.used(table, seat, tile) for tile in kinds_in(base)):
            return self.no(
                "special_not_dealt",
                f"Seat {seat} was not dealt {write(base)}.",
                expected=extra.dealt[seat],
                actual=write(base),
            )
        return self.refuse_without_draw(table, replaced=kind == XUANFENG)

    def used(self, table: Table, seat: int, kind: int) -> int:
        """How many tiles of a kind lie in the special gangs of a seat (HY-45)."""
        melds = [meld for meld in table.seats[seat].melds if meld.kind in SPECIAL]
        return sum(count(parse(meld.tiles), kind) for meld in melds)

    def refuse_without_draw(self, table: Table, *, replaced: bool = True) -> Violation | None:
        """HY-27: a gang needs its replacement tile, and perhaps a normal draw to be left."""
        if replaced and self.replaceable(table) < 1:
            return self.no("no_replacement_tile", "No tile is left to replace the gang's fourth.")
        if not self.options.gang_on_last_tile and self.drawable(table) < 1:
            return self.no("gang_no_draw_left", "No gang is made when no normal draw is left.")
        return None

    def on_opening(self, table: Table, seat: int, kind: str, text: str, seq: int) -> Table:
        """HY-47: the base set lies open; four winds are followed by a replacement tile."""
        base = SPECIAL[kind]
        if text != write(base):
            raise self.stop(
                "bad_meld", f"A {kind} opens with {write(base)}.", expected=write(base), actual=text
            )
        violation = self.refuse_opening(table, seat, kind)
        if violation is not None:
            raise IllegalEvent(violation)
        holder = table.seats[seat]
        meld = Meld(kind=kind, tiles=text, seq=seq)
        holder = replace(holder, concealed=holder.concealed - base, melds=(*holder.melds, meld))
        extra = replace(table.extra, gangs=table.extra.gangs + 1)
        table = replace(table, seats=with_seat(table, seat, holder), extra=extra)
        return replace(table, phase="replace", drawn=NOTHING) if kind == XUANFENG else table

    # --- adding -----------------------------------------------------------------------------------

    def refuse_addition(self, table: Table, seat: int, kind: str, tile: int) -> Violation | None:
        """HY-34, HY-43, HY-44, HY-54: why the seat may not add this tile now."""
        extra: HuaiyuanTable = table.extra
        holder = table.seats[seat]
        if not any(meld.kind == kind for meld in holder.melds):
            return self.no("add_no_meld", f"Seat {seat} has no {kind} to add to.")
        if not has(domain(kind), ONE[tile]):
            return self.no(
                "add_no_meld",
                f"{NAMES[tile]} is no tile of a {kind}.",
                expected=write(SPECIAL[kind]),
                actual=NAMES[tile],
            )
        if not count(holder.concealed, tile):
            return self.no("tile_not_held", f"Seat {seat} does not hold {NAMES[tile]}.")
        if extra.window == seat:
            if seat == table.dealer:
                return self.no("add_dealer_first_turn", "The dealer adds nothing yet.")
            if self.used(table, seat, tile) >= count(parse(extra.dealt[seat]), tile):
                return self.no("special_not_dealt", "Before the first discard only dealt tiles.")
            return self.refuse_without_draw(table)
        if not self.holds_tile(table):
            return self.no("no_tile_drawn", "A tile is added after a draw only.")
        first = seat == table.dealer and not extra.acted >> seat & 1
        if first and (
            not self.options.dealer_first_turn_add or self.options.special_gang_window == "deal"
        ):
            return self.no("add_dealer_first_turn", "The dealer adds nothing in its first turn.")
        return self.refuse_without_draw(table) or self.breaks_ting(table, seat, tile, kind)

    def is_robbable(self, table: Table, seat: int, tile: int) -> bool:
        """HY-45: whether the others may take an added tile."""
        extra: HuaiyuanTable = table.extra
        if extra.window == seat:
            return False
        if extra.acted >> seat & 1 or (
            self.options.opening_add_robbable and self.options.special_gang_window != "deal"
        ):
            return True
        return self.used(table, seat, tile) >= count(parse(extra.dealt[seat]), tile)

    def on_addition(self, table: Table, seat: int, kind: str, tile: int, seq: int) -> Table:
        """HY-47: the tile joins at once, or once nobody has taken it."""
        violation = self.refuse_addition(table, seat, kind, tile)
        if violation is not None:
            raise IllegalEvent(violation)
        offer = Offer(seat, tile, seq, kind)
        if self.is_robbable(table, seat, tile):
            return replace(table, phase="offer", offer=offer, answered=0)
        return replace(self.make_gang(table, offer), phase="replace", offer=None, answered=0)

    def make_gang(self, table: Table, offer: Offer) -> Table:
        """A gang stands: it counts towards the reserve."""
        if offer.gang in SPECIAL:
            table = self.make_addition(table, offer)
        else:
            table = super().make_gang(table, offer)
        return replace(table, extra=replace(table.extra, gangs=table.extra.gangs + 1))

    def make_addition(self, table: Table, offer: Offer) -> Table:
        """The added tile joins its gang."""
        holder = table.seats[offer.seat]
        melds = grown(holder.melds, offer.gang, offer.kind, offer.seq)
        holder = replace(holder, concealed=holder.concealed - ONE[offer.kind], melds=melds)
        return replace(table, seats=with_seat(table, offer.seat, holder), drawn=NOTHING)

    def breaks_ting(self, table: Table, seat: int, kind: int, gang: str) -> Violation | None:
        """HY-54: why a seat in ting may not make this gang."""
        holder = table.seats[seat]
        if not holder.ting:
            return None
        rule = self.options.gang_after_ting
        claimed = gang == "ming_gang"
        if not claimed and kind != table.drawn:
            return self.no("gang_not_drawn_tile", "After ting a gang uses the tile just drawn.")
        before, melds = melded(holder.melds), holder.melds
        after = holder.concealed - ONE[kind] * {"an_gang": 4, "ming_gang": 3}.get(gang, 1)
        name = NAMES[kind]
        if gang == "bu_gang":
            melds = tuple(m for m in melds if m.kind != "peng" or m.tiles[::3] != name)
        if gang in SPECIAL:
            melds = grown(melds, gang, kind, 0)
        else:
            melds = (*melds, Meld(kind=gang, tiles=name[0] * 4 + name[1]))
        left = waited_for(after, melded(melds), self.options)
        had = holder.concealed if claimed else holder.concealed - ONE[kind]
        same = rule != "same_waits" or left == waited_for(had, before, self.options)
        if rule == "none" or not left or not same:
            return self.no("gang_breaks_ting", "After this gang the hand would not be in ting.")
        return None

    # --- robbing by peng --------------------------------------------------------------------------

    def refuse_rob(self, table: Table, seat: int) -> Violation | None:
        """HY-46: why the seat may not take the tile being added with two of its own."""
        offer = table.offer
        if offer is None or offer.gang not in SPECIAL or not self.options.qiang_peng:
            return self.no("not_robbable", "No added tile can be taken by peng here.")
        if offer.seat == seat or table.wins or table.answered >> seat & 1:
            return self.no("not_your_turn", f"Seat {seat} may not take it.")
        if count(table.seats[seat].concealed, offer.kind) < 2:
            return self.no("tile_not_held", f"Seat {seat} does not hold two {NAMES[offer.kind]}.")
        name = NAMES[offer.kind]
        return self.refuse_claim(table, seat, Meld(kind="peng", tiles=name[0] * 3 + name[1]))

    def on_peng(self, table: Table, event: events.Peng, seq: int) -> Table:
        """HY-31; or HY-46: the addition is void, and the robber's turn begins."""
        robs = event.robs if isinstance(event, Peng) else None
        offer = table.offer
        if robs is None and (offer is None or not offer.gang):
            return super().on_peng(table, event, seq)
        violation = self.refuse_rob(table, event.seat)
        if violation is not None:
            raise IllegalEvent(violation)
        assert offer is not None, "a tile is being added"
        meld = self.robbed_meld(offer, seq)
        if (robs, event.tile, event.tiles, event.from_) != (
            offer.seq,
            NAMES[offer.kind],
            meld.tiles,
            offer.seat,
        ):
            raise self.stop(
                "wrong_tile",
                "Another tile is being added.",
                expected={"robs": offer.seq, "tiles": meld.tiles, "from": offer.seat},
                actual={"robs": robs, "tiles": event.tiles, "from": event.from_},
            )
        robbed, robber = table.seats[offer.seat], table.seats[event.seat]
        robbed = replace(robbed, concealed=robbed.concealed - ONE[offer.kind])
        robber = replace(
            robber, concealed=robber.concealed - 2 * ONE[offer.kind], melds=(*robber.melds, meld)
        )
        table = replace(table, seats=with_seat(table, offer.seat, robbed))
        extra: HuaiyuanTable = table.extra
        tiles = write(parse(extra.robbed) + ONE[offer.kind])
        return replace(
            table,
            seats=with_seat(table, event.seat, robber),
            extra=replace(extra, robbed=tiles, acted=extra.acted | 1 << offer.seat),
            phase="act",
            turn=event.seat,
            drawn=NOTHING,
            source="claim",
            offer=None,
            answered=0,
        )

    @staticmethod
    def robbed_meld(offer: Offer, seq: int) -> Meld:
        """The triplet a robber lays down."""
        name = NAMES[offer.kind]
        return Meld(kind="peng", tiles=name[0] * 3 + name[1], from_=offer.seat, seq=seq)

    # --- what may be offered ----------------------------------------------------------------------

    def claims_of(self, table: Table, seat: int) -> Iterator[Event]:
        """Claims on a discard; on an added tile the peng that robs it."""
        offer = table.offer
        if offer is None or not offer.gang:
            yield from super().claims_of(table, seat)
        elif self.refuse_rob(table, seat) is None:
            tiles, name = self.robbed_meld(offer, 0).tiles, NAMES[offer.kind]
            yield Peng(seat=seat, tiles=tiles, tile=name, from_=offer.seat, robs=offer.seq)

    def special_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """The special gangs a seat may open, and the tiles it may add."""
        holder = table.seats[seat]
        for kind, base in SPECIAL.items():
            if has(holder.concealed, base) and self.refuse_opening(table, seat, kind) is None:
                yield Gang(seat=seat, kind=kind, tiles=write(base))
        for meld in holder.melds:
            if meld.kind in SPECIAL:
                for tile in kinds_in(holder.concealed & self.mask(meld.kind)):
                    if self.refuse_addition(table, seat, meld.kind, tile) is None:
                        yield Gang(seat=seat, kind=meld.kind, tile=NAMES[tile])

    @staticmethod
    def mask(kind: str) -> Tiles:
        """The bits of the kinds of a special gang."""
        return SPECIAL[kind] * 15

    # --- the window after the deal ----------------------------------------------------------------

    def window_actions(self, table: Table) -> Iterator[Event]:
        """What the seat may do that opens before the first discard (HY-42)."""
        seat = table.extra.window
        yield from self.special_actions(table, seat)
        yield Pass(seat=seat, on="window")

    def pass_window(self, table: Table, event: events.Pass) -> Table:
        """The next seat opens; after the last the dealer's turn begins."""
        extra: HuaiyuanTable = table.extra
        if (event.seat, event.on) != (extra.window, "window") or table.phase != "act":
            raise self.stop(
                "window_open",
                f"Seat {extra.window} may open special gangs now.",
                expected={"seat": extra.window, "on": "window"},
                actual={"seat": event.seat, "on": event.on},
            )
        if event.seat == table.dealer:
            source = "tail" if table.source == "tail" else "deal"
            extra = replace(extra, dealer_drawn=table.drawn, dealer_source=source)
        following = (event.seat + 1) % 4
        if following != table.dealer:
            extra = replace(extra, window=following)
            return replace(table, turn=following, drawn=NOTHING, source="deal", extra=extra)
        drawn, source = extra.dealer_drawn, extra.dealer_source
        extra = replace(extra, window=NOTHING)
        return replace(table, turn=following, drawn=drawn, source=source, extra=extra)


def grown(melds: tuple[Meld, ...], gang: str, kind: int, seq: int) -> tuple[Meld, ...]:
    """The melds with a tile added to the special gang of this kind by the event ``seq``."""
    return tuple(
        replace(meld, tiles=write(parse(meld.tiles) + ONE[kind]), seq=seq)
        if meld.kind == gang
        else meld
        for meld in melds
    )


def leaves_one(table: Table, seat: int, taken: int) -> bool:
    """Whether a claim with so many own tiles leaves one tile after the discard (HY-37)."""
    return size(table.seats[seat].concealed) == taken + 2
