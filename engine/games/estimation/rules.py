"""How a deal of Estimation runs: who is asked what, and what each action claims.

::

    NewPack - Release - Sealed(void declarations) --- one `void redeal` ----------> NewPack, next dealer
                            | (option void_rule=off: none)
            deals 1 to 13: dash calls and bids, in turn -- nobody bid ------------> NewPack (option all_pass)
            speed deals:   no bidding, fixed trumps
                            |
            estimates, from the caller's right (speed deals: the dealer's right); the last may not make the total 13
                            |
            13 tricks, the caller leads -- a declaration proves false -- Fault ---> NewPack, same dealer
                            |
            Result -------- next deal: NewPack, next dealer --------- after the last: Finished

Whoever leads may claim the rest (engine.tricks), but only once the cards seen decide every void declaration.

Canonical order of candidates: `pass`, `dash`, bids from the lowest up; `no dash`, `dash`; `full`, `void play`,
`void redeal`; estimates from 0 up; cards from the lowest rank up, then the claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from engine.actions import PASS, STRAINS, Action, play
from engine.cards import (
    FULL_PACK,
    NO_CARDS,
    POSITIONS,
    SUIT_CARDS,
    SUIT_SIZE,
    SUITS,
    Card,
    CardSet,
    Suit,
    card_name,
    card_set,
)
from engine.game import (
    ASKS,
    FREE,
    Claim,
    Duty,
    Fault,
    Finished,
    Game,
    Illegal,
    NewPack,
    Options,
    Release,
    Result,
    Sealed,
    Step,
    asked,
    candidates,
    duty_claim,
)
from engine.games.estimation import scoring
from engine.games.estimation.options import OPTIONS, PRESETS
from engine.games.estimation.scoring import SEATS, TRICKS, Declared, Table
from engine.tricks import CLAIM_RULE, Duties, Trick, cards_of, certain, claim_rest, lacking, owed, winning
from engine.values import changed

MINIMUM_BID = 4  # EST-7
SPEED_STRAINS = ("NT", "S", "H", "D", "C")  # EST-14, B-EST-21
DUTIES = Duties(follow_rule="EST-17")
EVERYBODY = tuple(range(SEATS))
_DEALT = Release(POSITIONS)

FULL = Action("full")
VOID_PLAY = Action("void", word="play")
VOID_REDEAL = Action("void", word="redeal")
DASH = Action("dash")
NO_DASH = Action("no", word="dash")


def bid(number: int, strain: str) -> Action:
    """Bid that many tricks in a strain (`S H D C NT`)."""
    return Action("bid", number=number, word=strain)


def estimate(number: int) -> Action:
    """Say how many tricks one will take."""
    return Action("estimate", number=number)


_ESTIMATES = tuple(estimate(number) for number in range(TRICKS + 1))
_BIDS = tuple(bid(number, strain) for number in range(MINIMUM_BID, TRICKS + 1) for strain in STRAINS)


def _height(action: Action) -> int:
    """What makes a bid higher, in steps: more tricks, then the strain (B-EST-3, B-EST-5)."""
    return len(STRAINS) * action.number + STRAINS.index(action.word)


@dataclass(frozen=True)
class State:
    """A game of Estimation in progress, as everybody at the table knows it."""

    options: Options
    deal: int
    dealer: int
    multiplier: int = 1  # of the present deal, from all-miss deals before it (EST-S13)
    phase: str = "deal"  # deal, void, dash, bid, estimate, play, fault, over
    packed: bool = False  # phase deal: a pack is there, its cards are not yet dealt
    declarations: tuple[Action, ...] = ()  # void declarations, by seat
    auction: tuple[tuple[int, Action], ...] = ()  # bids, passes and dash calls in the order made
    turn: int = -1
    caller: int = -1  # the high bidder; stored, an equal estimate never takes it over (trap E-3)
    strain: str = ""
    estimates: tuple[int, ...] = (-1,) * SEATS  # -1: not made yet
    trick: Trick = ()
    tricks: tuple[Trick, ...] = ()
    played: CardSet = NO_CARDS  # the cards of these tricks
    last_trick: Trick = ()  # stays after the deal was scored, until the next cards are dealt (trap E-5)
    taken: tuple[int, ...] = (0,) * SEATS
    faults: tuple[Fault, ...] = ()
    redeals: tuple[str, ...] = ()
    results: tuple[Result, ...] = ()

    @classmethod
    def begin(cls, options: Options, dealer: int) -> Self:
        """A new game, waiting for its first pack. `options` is complete."""
        return cls(dict(options), 1, dealer % SEATS)

    # ---- what is public ----------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return GAME

    @property
    def step(self) -> Step:
        match self.phase:
            case "bid" | "dash" | "estimate" | "play":
                return ASKS[self.turn]
            case "deal":
                return _DEALT if self.packed else NewPack()
            case "void":
                return Sealed(EVERYBODY[len(self.declarations) :])
            case "fault":
                return self.faults[0]
            case _:
                return Finished()

    @property
    def counts(self) -> tuple[int, ...]:
        if self.phase in ("deal", "over", "fault"):
            return (0,) * SEATS
        played = {seat for seat, _ in self.trick}
        return tuple(SUIT_SIZE - len(self.tricks) - (seat in played) for seat in EVERYBODY)

    @property
    def totals(self) -> tuple[int, ...]:
        return self.results[-1].totals if self.results else (0,) * SEATS

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest total; a tie is a shared win (EST-S14, B-EST-24)."""
        if self.phase != "over":
            return ()
        return tuple(seat for seat in EVERYBODY if self.totals[seat] == max(self.totals))

    @property
    def speed(self) -> bool:
        """Whether this is a speed deal: fixed trumps, no bidding, no Dash Call (EST-14)."""
        return self.deal > int(self.options["normal_deals"])

    @property
    def speed_strain(self) -> str:
        """The fixed strain of a speed deal, "" in other deals."""
        return SPEED_STRAINS[self.deal - int(self.options["normal_deals"]) - 1] if self.speed else ""

    @property
    def last_deal(self) -> int:
        return int(self.options["normal_deals"]) + int(self.options["speed_deals"])

    @property
    def trump(self) -> Suit | None:
        return SUITS.index(self.strain) if len(self.strain) == 1 else None

    @property
    def dashes(self) -> frozenset[int]:
        """The Dash Callers of this deal."""
        return frozenset(seat for seat, call in self.auction if call == DASH)

    @property
    def best_bid(self) -> tuple[int, Action] | None:
        """The highest bid so far and who made it."""
        for made in reversed(self.auction):
            if made[1].verb == "bid":
                return made
        return None

    @property
    def estimators(self) -> tuple[int, ...]:
        """Who estimates, in order; the last of them is the Risk. Empty until it is known."""
        if self.phase in ("estimate", "play"):
            first = self._next(self.dealer if self.speed else self.caller)
            out = self.dashes if self.speed else self.dashes | {self.caller}
            return tuple(seat for seat in self._from(first) if seat not in out)
        return ()

    @property
    def declared(self) -> Declared:
        """Everybody's estimates and roles; complete from the first play on."""
        return Declared(self.estimates, self.caller, self.dashes, self.estimators[-1])

    @property
    def table(self) -> Table:
        return scoring.table(self.options)

    # ---- what an action claims -----------------------------------------------------------------------------------

    def claim(self, seat: int, action: Action, received: Card | None = None) -> Claim:
        """See `engine.game.State.claim`."""
        if action.verb == "play" and (claim := duty_claim(self.duties(seat), action)):
            return claim
        if not self._asks(seat):
            raise Illegal("EST-16", "not-your-turn", seat=seat)
        match self.phase, action.verb:
            case "void", "full" | "void":
                return self._declaration_claim(action)
            case "dash" | "bid", "dash" | "no":
                self._check_dash(seat, action)
            case "bid", "pass":
                pass
            case "bid", "bid":
                self._check_bid(action)
            case "estimate", "estimate":
                self._check_estimate(seat, action.number)
            case "play", "claim":
                return self._rest_claim(seat, action.cards)
            case _:
                raise Illegal("EST-16", "illegal-action", action=str(action))
        return FREE

    def _asks(self, seat: int) -> bool:
        """Whether the seat may act now."""
        if self.phase in ("bid", "estimate", "play", "dash"):
            return seat == self.turn
        return seat in asked(self.step)

    def _declaration_claim(self, action: Action) -> Claim:
        """EST-5, B-EST-10, D-8. Only a wish for a redeal shows the void suit; what is played out shows itself."""
        if action == FULL:
            return Claim(rule="EST-5", code="declare-void", includes=SUIT_CARDS, deferred=True)
        return Claim(excludes=SUIT_CARDS, rule="EST-5", code="declare-full", deferred=action == VOID_PLAY)

    def _rest_claim(self, seat: int, cards: CardSet) -> Claim:
        """The rest is certain, and so is whether every declaration was true: the other hands are never seen (D-8)."""
        unseen = self._unseen(cards)
        claim = claim_rest(cards, TRICKS - len(self.tricks), self.trick, unseen, self.trump)
        for other in range(len(self.declarations)):
            shown = self._played_by(other) | (cards if other == seat else NO_CARDS)
            may_hold = NO_CARDS if other == seat else unseen & ~lacking(self.tricks, other, self.trump, DUTIES)
            if not _all_suits(shown) and _all_suits(shown | may_hold):
                raise Illegal(CLAIM_RULE, "claim-declaration-open")
        return claim

    def _unseen(self, hand: CardSet) -> CardSet:
        """What the leader, who holds `hand`, has not seen: all of it is in the others' hands."""
        return FULL_PACK & ~self.played & ~hand

    def _played_by(self, seat: int) -> CardSet:
        """The cards that a seat has played in finished tricks."""
        return card_set(card for trick in self.tricks for who, card in trick if who == seat)

    def _check_dash(self, seat: int, action: Action) -> None:
        """EST-8, B-EST-8: as one's first call in turn, or asked of all before the bidding."""
        if (action == NO_DASH or self.options["dash_timing"] == "before_bidding") and self.phase != "dash":
            raise Illegal("B-EST-8", "illegal-action", action=str(action))
        if action == DASH and len(self.dashes) >= int(self.options["max_dash"]):
            raise Illegal("EST-8", "dash-limit", limit=self.options["max_dash"])
        if action == DASH and any(who == seat and call.verb == "bid" for who, call in self.auction):
            raise Illegal("B-EST-8", "dash-after-bid")

    def _check_bid(self, action: Action) -> None:
        if action.number < MINIMUM_BID:
            raise Illegal("EST-7", "bid-minimum", minimum=MINIMUM_BID)
        if action.number > TRICKS:
            raise Illegal("EST-7", "bid-maximum", maximum=TRICKS)
        best = self.best_bid
        if best and _height(action) <= _height(best[1]):
            raise Illegal("B-EST-5", "bid-higher", bid=f"{best[1].number}{best[1].word}")

    def _check_estimate(self, seat: int, number: int) -> None:
        if number > TRICKS:
            raise Illegal("EST-10", "estimate-maximum", maximum=TRICKS)
        if not self.speed and number > self.estimates[self.caller]:
            raise Illegal("EST-13", "estimate-above-bid", bid=self.estimates[self.caller])
        others = sum(said for said in self.estimates if said > 0)
        if others + number == TRICKS and seat == self.estimators[-1]:
            raise Illegal("EST-11", "total-13", estimate=number)

    def duties(self, seat: int, received: Card | None = None) -> tuple[Duty, ...]:
        """See `engine.game.State.duties`."""
        return owed(self.trick, self.trump, DUTIES) if self.phase == "play" and seat == self.turn else ()

    def candidates(self, seat: int, cards: CardSet) -> Iterator[Action]:
        """See `engine.game.State.candidates`; the order is the module's."""
        return candidates(self, seat, cards)

    def choices(self, seat: int, cards: CardSet) -> Iterator[Action]:
        """See `engine.game.State.choices`."""
        if self.trick or not self._asks(seat):
            return
        match self.phase:
            case "void":
                yield from (FULL, VOID_PLAY, VOID_REDEAL)
            case "dash":
                yield from (NO_DASH, DASH)
            case "bid":
                yield from (PASS, DASH)
                best = self.best_bid
                yield from _BIDS[_height(best[1]) - _height(_BIDS[0]) + 1 if best else 0 :]
            case "estimate":
                yield from _ESTIMATES
            case "play" if certain(cards, self._unseen(cards), self.trump):
                yield Action("claim", cards=cards)

    # ---- what happens next -----------------------------------------------------------------------------------------

    def apply(self, seat: int, action: Action) -> Self:
        """The state after a legal action."""
        match self.phase:
            case "void":
                return changed(self, declarations=(*self.declarations, action))._after_declarations()
            case "dash" | "bid":
                return changed(self, auction=(*self.auction, (seat, action)))._after_call()
            case "estimate":
                made = tuple(action.number if other == seat else self.estimates[other] for other in EVERYBODY)
                return changed(self, estimates=made)._after_estimate()
            case "play":
                claimed = action.verb == "claim"
                return self._after_claim(seat, action.cards) if claimed else self._after_play(seat, action.card)
            case _:
                raise ValueError(f"nobody is asked in phase {self.phase}")

    def after(self, step: Step, cards: CardSet = NO_CARDS) -> Self:
        """The state after the table dealt or took a seat away."""
        match step:
            case NewPack():
                return changed(self, packed=True)
            case Release():
                dealt = changed(self, packed=False, last_trick=(), phase="void")
                return dealt.without_declarations() if self.options["void_rule"] == "off" else dealt
            case Fault(seat):
                rest = self.faults[1:]
                return changed(self, faults=rest) if rest else self._redeal(self.dealer, f"fault {seat}")
            case _:
                raise ValueError(step)

    def void(self, reason: str) -> Self:
        """The deal is thrown in: same dealer, same number, same multiplier."""
        return self._redeal(self.dealer, reason)

    def _redeal(self, dealer: int, reason: str) -> Self:
        return type(self)(
            self.options,
            self.deal,
            dealer,
            self.multiplier,
            redeals=(*self.redeals, reason),
            results=self.results,
        )

    def _after_declarations(self) -> Self:
        if len(self.declarations) < SEATS:
            return self
        wishes = [str(seat) for seat in EVERYBODY if self.declarations[seat] == VOID_REDEAL]
        if wishes:
            return self._redeal(self._next(self.dealer), f"void {' '.join(wishes)}")
        return self.without_declarations()

    def without_declarations(self) -> Self:
        """The bidding or, in a speed deal, the estimates begin."""
        state = changed(self, turn=self._next(self.dealer))
        if self.speed:
            return changed(state, phase="estimate", strain=self.speed_strain)
        return changed(state, phase="dash" if self.options["dash_timing"] == "before_bidding" else "bid")

    def _after_call(self) -> Self:
        if self.phase == "dash":
            if len(self.auction) < SEATS:
                return changed(self, turn=self._next(self.turn))
            return changed(self, phase="bid")._next_bidder(self._next(self.dealer))
        return self._next_bidder(self._next(self.turn))

    def _next_bidder(self, first: int) -> Self:
        """The turn goes to the next seat that may still call, or the auction is over (B-EST-6)."""
        called = {seat for seat, call in self.auction if call.verb in ("pass", "bid")}
        out = self.dashes | {seat for seat, call in self.auction if call == PASS}
        best = self.best_bid
        if self.options["auction"] == "single":
            out |= called
        elif best:
            out |= {best[0]}  # nobody outbids himself
        waiting = [seat for seat in self._from(first) if seat not in out]
        if waiting:
            return changed(self, turn=waiting[0])
        if best is None:  # B-EST-7
            same = self.options["all_pass"] == "redeal_same"
            return self._redeal(self.dealer if same else self._next(self.dealer), "all pass")
        caller, high = best
        estimates = tuple(high.number if seat == caller else 0 if seat in self.dashes else -1 for seat in EVERYBODY)
        state = changed(self, phase="estimate", caller=caller, strain=high.word, estimates=estimates)
        return changed(state, turn=state.estimators[0])

    def _after_estimate(self) -> Self:
        waiting = [seat for seat in self.estimators if self.estimates[seat] < 0]
        if waiting:
            return changed(self, turn=waiting[0])
        caller = self.caller
        if self.speed:  # EST-15: the first to make the highest estimate
            caller = next(seat for seat in self.estimators if self.estimates[seat] == max(self.estimates))
        return changed(self, phase="play", caller=caller, turn=caller)

    def _after_play(self, seat: int, card: Card) -> Self:
        trick = (*self.trick, (seat, card))
        if len(trick) < SEATS:
            return changed(self, trick=trick, turn=self._next(seat))
        winner = winning(trick, self.trump)[0]
        taken = (*self.taken[:winner], self.taken[winner] + 1, *self.taken[winner + 1 :])
        tricks, played = (*self.tricks, trick), self.played | cards_of(trick)
        state = changed(self, trick=(), tricks=tricks, played=played, last_trick=trick, taken=taken, turn=winner)
        return state._after_last_trick() if len(state.tricks) == TRICKS else state

    def _after_claim(self, seat: int, cards: CardSet) -> Self:
        taken = tuple(count + self.counts[seat] * (other == seat) for other, count in enumerate(self.taken))
        return changed(self, taken=taken)._after_last_trick(seat, cards)

    def _after_last_trick(self, claimer: int = -1, opened: CardSet = NO_CARDS) -> Self:
        """Declarations are compared with what was played, and what a claim opened (D-8), before the score counts."""
        faults = []
        for seat, declaration in enumerate(self.declarations):
            shown = self._played_by(seat) | (opened if seat == claimer else NO_CARDS)
            if (declaration == FULL) != _all_suits(shown):
                faults.append(Fault(seat, "EST-5", "false-full" if declaration == FULL else "false-void"))
        return changed(self, phase="fault", faults=tuple(faults)) if faults else self.scored(self.taken)

    def scored(self, tricks: tuple[int, ...]) -> Self:
        """The deal counts, with these tricks taken by the seats."""
        numbers, declared = self.table, self.declared
        breakdown = scoring.score(numbers, declared, tricks)
        multiplier = self.multiplier * scoring.factor(numbers, declared)
        points = tuple(multiplier * sum(part[1] for part in seat) for seat in breakdown)
        totals = tuple(before + now for before, now in zip(self.totals, points, strict=True))
        result = Result(self.deal, points, breakdown, totals, multiplier, self.redeals)
        missed = all(tricks[seat] != declared.estimates[seat] for seat in EVERYBODY)
        carried = self.multiplier * 2 if missed and numbers.all_miss_doubles else 1  # B-EST-18
        results = (*self.results, result)
        if self.deal == self.last_deal:
            over = type(self)(self.options, self.deal, self.dealer, phase="over", results=results)
            return changed(over, last_trick=self.last_trick)
        following = type(self)(self.options, self.deal + 1, self._next(self.dealer), carried, results=results)
        return changed(following, last_trick=self.last_trick)

    # ---- seats and view -------------------------------------------------------------------------------------------

    @staticmethod
    def _next(seat: int) -> int:
        return (seat + 1) % SEATS

    @staticmethod
    def _from(first: int) -> Iterator[int]:
        """All seats in order of play, from `first` on."""
        return ((first + i) % SEATS for i in range(SEATS))

    def view(self) -> dict[str, object]:
        """The public state as plain JSON values.

        Besides game, options, deal, dealer, phase, turn (the seats asked), counts, totals and winners::

            deals, speed             how many deals the game has, and whether this is one of the speed deals
            multiplier               of this deal
            declarations             "full", "void play" or "void redeal" by seat, "" where not yet shown
            auction                  [[seat, "bid 5S"], [seat, "pass"], …] in order
            bid, caller              the highest bid so far ("5S", or "") and who made it (-1: nobody); in speed deals
                                     the caller stands after the estimates, and there is no bid
            trump                    "S", "H", "D", "C", "NT", or "" while it is not decided
            estimates                by seat, -1 where not yet made (a Dash Caller's is 0, the caller's is the bid)
            dashes, with             lists of seats
            risk, risk_level         the seat that estimates last, or -1; 0, 1 Risk, 2 Double Risk, -1 not yet known
            total                    of the estimates, -1 until all are made
            trick, last_trick        [[seat, "AS"], …] on the table, and the trick before, leader first
            tricks                   tricks won, by seat
            history                  [[seat, "play AS"], …], everything done in this deal
        """
        best = self.best_bid
        declared = self.declared if self.phase == "play" else None
        said = [str(action) for action in self.declarations]
        return {
            "game": GAME.name,
            "options": dict(self.options),
            "deal": self.deal,
            "deals": self.last_deal,
            "speed": self.speed,
            "dealer": self.dealer,
            "phase": self.phase,
            "turn": list(asked(self.step)),
            "counts": list(self.counts),
            "multiplier": self.multiplier,
            "declarations": said + [""] * (SEATS - len(said)),
            "auction": [[seat, str(call)] for seat, call in self.auction],
            "bid": f"{best[1].number}{best[1].word}" if best else "",
            "caller": best[0] if best else self.caller,
            "trump": self.strain or self.speed_strain,
            "estimates": list(self.estimates),
            "dashes": sorted(self.dashes),
            "with": list(declared.withs) if declared else [],
            "risk": self.estimators[-1] if self.estimators else -1,
            "risk_level": scoring.risk_level(self.table, declared) if declared else -1,
            "total": declared.total if declared else -1,
            "trick": _plays(self.trick),
            "last_trick": _plays(self.last_trick),
            "tricks": list(self.taken),
            "history": [[seat, str(action)] for seat, action in self.history()],
            "totals": list(self.totals),
            "winners": list(self.winners),
        }

    def history(self) -> Iterator[tuple[int, Action]]:
        """Everything that was done in this deal, in order."""
        yield from enumerate(self.declarations)
        yield from self.auction
        for seat in self.estimators:
            if self.estimates[seat] >= 0:
                yield seat, estimate(self.estimates[seat])
        for seat, card in (one for trick in (*self.tricks, self.trick) for one in trick):
            yield seat, play(card)


def _all_suits(cards: CardSet) -> bool:
    return all(cards & suit for suit in SUIT_CARDS)


def _plays(trick: Trick) -> list[list[object]]:
    return [[seat, card_name(card)] for seat, card in trick]


GAME = Game("estimation", SEATS, OPTIONS, State, presets=PRESETS)
