"""Winning, claiming and gangs: what the seats may do with a tile, their own or an offered one."""

from collections.abc import Iterator

from msgspec.structs import replace

from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Chi, Event, Gang, Hu, Pass, Peng
from rules_engine.facts import Meld, WinFacts
from rules_engine.questions import Questions
from rules_engine.table import NOTHING, Offer, Table, with_seat
from rules_engine.tiles import (
    KIND,
    NAMES,
    ONE,
    SUITED_KINDS,
    BadTiles,
    Tiles,
    count,
    has,
    kinds_in,
    parse,
    write,
)


class Claims(Questions):
    """Wins, chi, peng and gangs."""

    def expect_turn(self, table: Table, seat: int) -> None:
        """Refuse an action of a seat that is not in turn with its tile in hand."""
        if table.phase == "act" and table.turn == seat:
            return
        if table.phase == "replace":
            raise self.stop(
                "replacement_due",
                f"Seat {table.turn} must first draw its replacement tile.",
                expected={"type": "draw", "seat": table.turn, "source": "tail"},
                actual={"seat": seat},
            )
        expected = table.turn if table.phase == "act" else None
        raise self.stop(
            "not_your_turn",
            f"It is not the turn of seat {seat}"
            + (f" but of seat {expected}." if expected is not None else ": a tile is on offer."),
            expected=expected,
            actual=seat,
        )

    def insist_on_wins(self, table: Table) -> None:
        """Refuse anything else while a win that has to be taken is open."""
        for seat in self.bound_to_win(table):
            if self.may_win(table, seat):
                raise self.bound(table, seat)

    def bound(self, table: Table, seat: int) -> IllegalEvent:
        """The refusal of anything but the win this seat has to take."""
        refusal = self.no("must_hu", f"Seat {seat} has to take its win.", expected={"hu": seat})
        return IllegalEvent(replace(refusal, rule=self.why_bound(table, seat)))

    # --- winning ----------------------------------------------------------------------------------

    def chance(self, table: Table, seat: int) -> str | None:
        """How the seat could win now if its tiles were right: zimo, dianpao or qiang_gang."""
        if table.phase == "act":
            mine = table.turn == seat and self.holds_tile(table)
            return "zimo" if mine and not table.answered >> seat & 1 else None
        offer = table.offer
        if table.phase != "offer" or offer is None or offer.seat == seat:
            return None
        if table.answered >> seat & 1 or any(win.seat == seat for win in table.wins):
            return None
        return "qiang_gang" if offer.gang else "dianpao"

    def may_win(self, table: Table, seat: int) -> bool:
        """Whether the seat may declare a win now."""
        by = self.chance(table, seat)
        if by is None:
            return False
        kind = self.own_tile(table) if table.offer is None else table.offer.kind
        return self.can_win(table, seat, kind, by=by)

    def must_win(self, table: Table, seat: int) -> bool:
        """Whether the seat has a win that it has to take."""
        return seat in self.bound_to_win(table) and self.may_win(table, seat)

    def on_hu(self, table: Table, event: Hu, seq: int) -> Table:
        """A win. On an offered tile other seats may still win too; an own draw ends the hand."""
        seat = event.seat
        kind = KIND[event.tile]
        offer = table.offer
        due_kind = self.own_tile(table) if offer is None else offer.kind
        payer = None if offer is None else offer.seat
        by = self.chance(table, seat)
        if by is None or event.by != by or kind != due_kind or event.from_ != payer:
            raise self.stop(
                "no_such_win",
                f"Seat {seat} has no such chance to win at this moment.",
                expected=by and {"by": by, "tile": NAMES[due_kind], "from": payer, "seat": seat},
                actual={"by": event.by, "tile": event.tile, "from": event.from_, "seat": seat},
            )
        violation = self.winning(table, seat, kind, by=by)
        if violation is not None:
            raise IllegalEvent(violation)
        holder = table.seats[seat]
        flags = self.flags(table, seat, by=by)
        win = WinFacts(
            seat=seat,
            by=event.by,
            tile=event.tile,
            concealed=write(holder.concealed - (ONE[kind] if by == "zimo" else 0)),
            from_=payer,
            melds=holder.melds,
            flowers=write(holder.flowers),
            flags=flags,
            seq=seq,
            flag_seqs=self.flag_seqs(table, seat, flags),
        )
        wins = (*table.wins, win)
        if by == "zimo" or not self.several_winners:
            return replace(table, wins=wins, phase="over", outcome="hu")
        return replace(table, wins=wins)

    def on_pass(self, table: Table, event: Pass, seq: int) -> Table:
        """A seat lets a chance go expressly."""
        seat = event.seat
        on = "draw" if table.phase == "act" else "discard"
        if table.offer is not None and table.offer.gang:
            on = "gang"
        wins = self.may_win(table, seat)
        if event.on != on or not (wins or self.may_claim(table, seat)):
            raise self.stop(
                "nothing_to_pass",
                f"Seat {seat} has nothing to let go here.",
                expected=on,
                actual=event.on,
            )
        if wins and seat in self.bound_to_win(table):
            raise self.bound(table, seat)
        table = replace(table, answered=table.answered | 1 << seat)
        return self.after_pass(table, seat) if wins else table

    def may_claim(self, table: Table, seat: int) -> bool:
        """Whether the seat may make a meld with the tile on offer."""
        return any(True for _ in self.claims_of(table, seat))

    def close_offer(self, table: Table) -> Table:
        """What a closed offer leaves behind: passed chances, and a gang that stands."""
        table = self.after_chance(table)
        offer = table.offer
        if offer is not None and offer.gang:
            table = self.make_gang(table, offer)
        return table

    # --- claims -----------------------------------------------------------------------------------

    def on_chi(self, table: Table, event: Chi, seq: int) -> Table:
        """A run claimed by the next seat."""
        return self.claim(table, event.seat, "chi", event.tile, event.tiles, event.from_, seq)

    def on_peng(self, table: Table, event: Peng, seq: int) -> Table:
        """A triplet claimed by any other seat."""
        return self.claim(table, event.seat, "peng", event.tile, event.tiles, event.from_, seq)

    def claim(
        self, table: Table, seat: int, claim: str, tile: str, text: str, source: int, seq: int
    ) -> Table:
        """A meld made with an offered discard; the claimer discards next."""
        self.expect_claim(table, seat, claim, tile, source)
        try:
            tiles = parse(text)
        except BadTiles as error:
            raise self.stop("bad_tiles", str(error)) from error
        kind = KIND[tile]
        meld = Meld(kind=claim, tiles=write(tiles), from_=source, seq=seq)
        if not count(tiles, kind) or not self.is_set(claim, tiles):
            raise self.stop("bad_meld", f"{text} is not a {claim} with {tile}.", actual=text)
        own = tiles - ONE[kind]
        if not has(table.seats[seat].concealed, own):
            raise self.stop(
                "tile_not_held",
                f"Seat {seat} does not hold {write(own)}.",
                expected=write(table.seats[seat].concealed),
                actual=write(own),
            )
        violation = self.refuse_claim(table, seat, meld)
        if violation is not None:
            raise IllegalEvent(violation)
        self.insist_on_wins(table)
        table = self.take_offered(self.after_chance(table))
        holder = table.seats[seat]
        holder = replace(holder, concealed=holder.concealed - own, melds=(*holder.melds, meld))
        return replace(
            table,
            seats=with_seat(table, seat, holder),
            phase="act",
            turn=seat,
            drawn=NOTHING,
            source="claim",
            offer=None,
            answered=0,
        )

    def expect_claim(self, table: Table, seat: int, claim: str, tile: str, source: int) -> None:
        """Refuse a claim that this game, this seat or this moment does not have."""
        if claim not in self.claims:
            raise self.stop(
                "claim_forbidden", f"A {claim} does not exist in this game.", actual=claim
            )
        offer = table.offer
        if offer is None or not self.is_claimant(table, seat, claim):
            raise self.stop(
                "not_your_turn", f"Seat {seat} may not {claim} at this moment.", actual=seat
            )
        if (NAMES[offer.kind], offer.seat) != (tile, source):
            raise self.stop(
                "wrong_tile",
                f"The tile on offer is {NAMES[offer.kind]} of seat {offer.seat}.",
                expected={"tile": NAMES[offer.kind], "from": offer.seat},
                actual={"tile": tile, "from": source},
            )

    def is_claimant(self, table: Table, seat: int, claim: str) -> bool:
        """Whether a discard is on offer that this seat may still claim in this way."""
        offer = table.offer
        return (
            offer is not None
            and not offer.gang
            and not table.wins
            and not table.answered >> seat & 1
            and offer.seat != seat
            and (claim != "chi" or seat == (offer.seat + 1) % 4)
        )

    def claims_of(self, table: Table, seat: int) -> Iterator[Event]:
        """The chi, peng and ming_gang the seat may make with the discard on offer."""
        offer = table.offer
        if offer is None:
            return
        kind, name = offer.kind, NAMES[offer.kind]
        if "ming_gang" in self.claims and self.is_claimant(table, seat, "ming_gang"):
            violation = self.gang_tiles(table, seat, kind, "ming_gang") or self.refuse_gang(
                table, seat, kind, "ming_gang"
            )
            if violation is None:
                yield Gang(seat=seat, kind="ming_gang", tile=name, from_=offer.seat)
        for claim, event, melds in (("peng", Peng, [3 * ONE[kind]]), ("chi", Chi, runs_with(kind))):
            if claim not in self.claims or not self.is_claimant(table, seat, claim):
                continue
            for tiles in melds:
                meld = Meld(kind=claim, tiles=write(tiles), from_=offer.seat)
                held = has(table.seats[seat].concealed, tiles - ONE[kind])
                if held and self.refuse_claim(table, seat, meld) is None:
                    yield event(seat=seat, tiles=meld.tiles, tile=name, from_=offer.seat)

    def gangs_of(self, table: Table, seat: int) -> Iterator[Event]:
        """The gangs the seat in turn may make from its own tiles."""
        for kind in kinds_in(table.seats[seat].concealed):
            for gang in sorted(self.gangs & {"an_gang", "bu_gang"}):
                violation = self.gang_tiles(table, seat, kind, gang) or self.refuse_gang(
                    table, seat, kind, gang
                )
                if violation is None:
                    yield Gang(seat=seat, kind=gang, tile=NAMES[kind])

    @staticmethod
    def is_set(claim: str, tiles: Tiles) -> bool:
        """Whether three tiles are a run or a triplet, as the claim says."""
        kinds = list(kinds_in(tiles))
        if claim == "peng":
            return tiles == 3 * ONE[kinds[0]]
        low = kinds[0]
        in_suit = low < SUITED_KINDS and low // 9 == kinds[-1] // 9
        return in_suit and tiles == ONE[low] + ONE[low + 1] + ONE[low + 2]

    def take_offered(self, table: Table) -> Table:
        """Mark the offered discard as taken from its pond."""
        assert table.offer is not None
        giver = table.seats[table.offer.seat]
        taken = replace(giver.pond[-1], taken=True)
        return replace(
            table,
            seats=with_seat(
                table, table.offer.seat, replace(giver, pond=(*giver.pond[:-1], taken))
            ),
        )

    # --- gangs ------------------------------------------------------------------------------------

    def on_gang(self, table: Table, event: Gang, seq: int) -> Table:
        """Four of a kind: concealed, added to an own peng, or with a discard."""
        seat, gang, kind = event.seat, event.kind, KIND[event.tile]
        if gang not in self.gangs:
            raise self.stop(
                "claim_forbidden",
                f"A {gang} does not exist in this game.",
                expected=sorted(self.gangs),
                actual=gang,
            )
        if gang == "ming_gang":
            source = NOTHING if event.from_ is None else event.from_
            self.expect_claim(table, seat, gang, event.tile, source)
        else:
            self.expect_turn(table, seat)
            if event.from_ is not None:
                raise self.stop("bad_meld", f"An own {gang} has no from.", actual=event.from_)
        violation = self.gang_tiles(table, seat, kind, gang) or self.refuse_gang(
            table, seat, kind, gang
        )
        if violation is not None:
            raise IllegalEvent(violation)
        self.insist_on_wins(table)
        claimed_from = NOTHING if event.from_ is None else event.from_
        offer = Offer(seat, kind, seq, gang, claimed_from)
        if gang == "ming_gang":
            table = self.after_chance(table)
        if gang in self.robbable:
            return replace(table, phase="offer", offer=offer, answered=0)
        return replace(
            self.make_gang(table, offer), phase="replace", turn=seat, offer=None, answered=0
        )

    def gang_tiles(self, table: Table, seat: int, kind: int, gang: str) -> Violation | None:
        """Why the seat's tiles do not make this gang, or not at this moment; None if they do."""
        holder = table.seats[seat]
        held = count(holder.concealed, kind)
        if gang == "ming_gang":
            needed = 3
        elif gang == "bu_gang":
            needed = 1
            if not any(
                m.kind == "peng" and KIND[m.tiles[0] + m.tiles[-1]] == kind for m in holder.melds
            ):
                return self.no(
                    "gang_needs_peng", f"Seat {seat} has no peng of {NAMES[kind]} to add to."
                )
        else:
            needed = 4
        if held < needed:
            return self.no(
                "gang_needs_four",
                f"Seat {seat} holds {held} tiles {NAMES[kind]}; a {gang} needs {needed}.",
                expected=needed,
                actual=held,
            )
        if gang != "ming_gang" and not self.holds_tile(table):
            return self.no("gang_after_claim", "A gang needs a tile drawn in this turn.")
        return None

    def make_gang(self, table: Table, offer: Offer) -> Table:
        """The gang stands: its tiles leave the hand and lie open as a meld."""
        seat, kind = offer.seat, offer.kind
        if offer.gang == "ming_gang":
            # The offer on the table is now the gang; the discard it took is the last of its giver.
            table = self.take_offered(replace(table, offer=Offer(offer.claimed_from, kind, 0)))
        holder = table.seats[seat]
        name = NAMES[kind]
        from_ = None if offer.claimed_from == NOTHING else offer.claimed_from
        melds = holder.melds
        held = {"an_gang": 4, "bu_gang": 1, "ming_gang": 3}[offer.gang]
        if offer.gang == "bu_gang":
            peng = next(m for m in melds if m.kind == "peng" and m.tiles == name[0] * 3 + name[1])
            from_ = peng.from_
            melds = tuple(m for m in melds if m is not peng)
        meld = Meld(kind=offer.gang, tiles=name[0] * 4 + name[1], from_=from_, seq=offer.seq)
        holder = replace(
            holder, concealed=holder.concealed - held * ONE[kind], melds=(*melds, meld)
        )
        return replace(table, seats=with_seat(table, seat, holder), drawn=NOTHING)


def runs_with(kind: int) -> list[Tiles]:
    """The runs of one suit that contain this kind, lowest first."""
    if kind >= SUITED_KINDS:
        return []
    lows = range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1)
    return [ONE[low] + ONE[low + 1] + ONE[low + 2] for low in lows]
