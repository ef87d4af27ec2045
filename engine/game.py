"""The contract that every game fulfils.

A game is a fold. `Game.start` gives a `State`; a `State` is an immutable value that holds only what everybody at the
table knows. `state.step` says what must happen next; whoever runs the table (a referee that sees all cards, or the
peers with their proofs) makes it happen and calls `apply` (a seat acted) or `after` (the table did its part).

A rule of play is written once, as the `Claim` of an action::

    claim = state.claim(seat, action)       raises Illegal when the action is impossible whatever the hand is
    claim.opens      cards that everybody sees because of it      (the mover must hold them)
    claim.excludes   the cards that the mover's remaining hand must not hold   (alternatives: one of the sets)

An action is legal for a hand exactly if `claim` does not raise, the hand holds its cards, and what remains holds none
of one of the excluded sets. The legal list, the highlights on a screen and the zero-knowledge obligation all come from
here (rules/conventions part D).

A module of `engine.games` exports `GAME`, and for game records (tables with real cards, records that begin in the
middle) the three functions of `Sheet`: `begin_at`, `skip_hidden` and `score_sheet`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Protocol, Self, TypeAlias

from engine.actions import PLAYING, Action, Kind, naming
from engine.cards import NO_CARDS, Card, CardSet, by_rank

Value: TypeAlias = str | int
Options: TypeAlias = Mapping[str, Value]


class Illegal(Exception):
    """An action that the rules do not allow.

    `rule` is the rule's id (``KAS-6``), `code` the id of the sentence that says it, `values` its placeholders.
    """

    def __init__(self, rule: str, code: str, **values: object) -> None:
        super().__init__(rule, code, values)
        self.rule = rule
        self.code = code
        self.values = values


class Where(Enum):
    """Where the card of an action goes."""

    STAYS = "stays"  # it is only shown, or the action has no card
    TABLE = "table"  # played
    ASIDE = "aside"  # put aside face down, out of the deal
    SEAT = "seat"  # handed to another seat


@dataclass(frozen=True, slots=True)
class Claim:
    """What must be true, and become visible, for an action to be legal.

    opens      cards shown to everybody by the action
    where, to  where its card goes (`to` is the seat for `Where.SEAT`)
    excludes   alternatives: what is left of the hand must hold no card of at least one of these sets; (0,) is free
    rule, code the rule that a hand which does hold such a card would break, and its sentence
    includes   all of them: the hand must hold a card of each of these sets (Estimation's `full`; always deferred)
    deferred   proved at the end of the deal, before the score counts, because proving it now would tell a secret;
               in a game without `Audit` the state itself checks it by then from the cards played (`Fault`)
    """

    opens: CardSet = NO_CARDS
    where: Where = Where.STAYS
    to: int = -1
    excludes: tuple[CardSet, ...] = (NO_CARDS,)
    rule: str = ""
    code: str = ""
    deferred: bool = False
    includes: tuple[CardSet, ...] = ()

    @property
    def face_down(self) -> bool:
        """Whether its card leaves the hand unseen."""
        return self.where is Where.SEAT or self.where is Where.ASIDE


FREE = Claim()  # of what may be said with any hand


@dataclass(frozen=True, slots=True)
class Duty:
    """Actions that claim the same: they are of one `kind`, name one of `cards`, and say of the rest of the hand that it
    holds none of `excludes`. No card is in both sets, unless it is the only one of `cards`.

    What is not about the hand is as in the claim. A card that is played is opened, any other stays hidden.
    """

    cards: CardSet
    excludes: CardSet
    rule: str
    code: str
    kind: Kind = PLAYING
    where: Where = Where.TABLE
    to: int = -1
    deferred: bool = False

    def claim(self, action: Action) -> Claim:
        """What one of these actions claims."""
        if self.where is Where.TABLE:
            return _playing(action.cards, self.excludes, self.rule, self.code)
        return Claim(NO_CARDS, self.where, self.to, (self.excludes,), self.rule, self.code, self.deferred)


CLAIMS = 4096  # plays whose claim is kept: those of some dozen deals, and many come up again in every deal


@lru_cache(CLAIMS)
def _playing(cards: CardSet, excludes: CardSet, rule: str, code: str) -> Claim:
    return Claim(cards, Where.TABLE, -1, (excludes,), rule, code)


# What must happen next ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewPack:
    """A freshly shuffled pack is needed (a new deal or a redeal). Then `after(step)`."""


@dataclass(frozen=True, slots=True)
class Release:
    """The cards at `positions` of the pack go face down to their owners (`owner(position, seats)`). Then `after`."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OpenKitty:
    """The cards at `positions` are shown to everybody, or to `only` one seat. Then `after(step, cards)`; cards is
    empty where the public does not see them."""

    positions: tuple[int, ...]
    only: int = -1


@dataclass(frozen=True, slots=True)
class TakeKitty:
    """`seat` takes the kitty into the hand, mixing it. Then `after(step)`."""

    seat: int
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """One seat chooses an action, and everybody sees it (its card may be hidden: give, return, discard)."""

    seat: int


ASKS = tuple(Ask(seat) for seat in range(4))  # made once: most steps are one of these


@dataclass(frozen=True, slots=True)
class Sealed:
    """These seats choose at once: each commits, then all are shown together, then they are applied in this order."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """The holder of `card` shows it (`apply(seat, show card)`); everybody else proves not to hold it. When nobody
    has it (it lies in the kitty): `after(step)`."""

    card: Card


@dataclass(frozen=True, slots=True)
class Audit:
    """The deal is played; deferred claims are proved now, then `after(step)` counts the score."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a seat declared turned out false (`rule`). The table takes the seat away, then `after(step)` redeals."""

    seat: int
    rule: str
    code: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over."""


Step: TypeAlias = NewPack | Release | OpenKitty | TakeKitty | Ask | Sealed | Search | Audit | Fault | Finished


@dataclass(frozen=True, slots=True)
class Result:
    """The score of one deal: points by seat, and how they came about.

    breakdown[seat] is a list of (rule id, points) that add up to points[seat] (before `multiplier`).
    redeals lists why earlier attempts at this deal were thrown in, for the record ("void 2", "all pass", …).
    """

    deal: int
    points: tuple[int, ...]
    breakdown: tuple[tuple[tuple[str, int], ...], ...]
    totals: tuple[int, ...]
    multiplier: int = 1
    redeals: tuple[str, ...] = ()


class State(Protocol):
    """Everything that is public about a game in progress. Immutable; equal states are interchangeable."""

    @property
    def game(self) -> Game:
        """What is played."""
        ...

    @property
    def options(self) -> Options:
        """All options of the game, as they are in force."""
        ...

    @property
    def deal(self) -> int:
        """Number of the deal being played, from 1."""
        ...

    @property
    def last_deal(self) -> int:
        """Number of the game's last deal (where a tie can add deals, the last one unless that happens)."""
        ...

    @property
    def dealer(self) -> int:
        """The seat that deals now."""
        ...

    @property
    def phase(self) -> str:
        """A word for people and bots: ``deal``, ``show``, ``choose``, ``double``, ``bid``, ``play``, ``over``…"""
        ...

    @property
    def step(self) -> Step:
        """What must happen next."""
        ...

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        ...

    @property
    def results(self) -> tuple[Result, ...]:
        """The deals that count, in order."""
        ...

    @property
    def redeals(self) -> tuple[str, ...]:
        """Why earlier attempts at the present deal were thrown in (see `Result.redeals`)."""
        ...

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat over all results."""
        ...

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won (several when the win is shared); empty while the game goes on."""
        ...

    def claim(self, seat: int, action: Action, received: Card | None = None) -> Claim:
        """The claim of `action` by `seat`, or `Illegal` if it is impossible whatever the hand is.

        `received` is the card just handed to this seat in an exchange, known to him (and opened at the end of the
        deal); the public does not know it. Not being asked at all is `Illegal` too (code ``not-your-turn``).
        """
        ...

    def duties(self, seat: int, received: Card | None = None) -> tuple[Duty, ...]:
        """While `seat` is asked for a card (to play, give, return or put aside): the cards that it can name, whatever
        its hand is, each in the one duty of its kind whose `claim` is that of the action. () otherwise. `received` as
        for `claim`."""
        ...

    def choices(self, seat: int, cards: CardSet) -> Iterator[Action]:
        """The candidates that no duty speaks of, in canonical order; `claim` may find some of them impossible."""
        ...

    def candidates(self, seat: int, cards: CardSet) -> Iterator[Action]:
        """Every action that is publicly possible for `seat` and names only cards of `cards`, in the game's canonical
        order: non-card choices as documented by the game, cards from the lowest rank up (clubs before spades). Where
        cards are played, these come first."""
        ...

    def apply(self, seat: int, action: Action) -> Self:
        """The state after a seat's action (already found legal). For `Sealed` steps once for each seat, in order."""
        ...

    def after(self, step: Step, cards: CardSet = NO_CARDS) -> Self:
        """The state after the table did `step` (dealt, opened, mixed, searched in vain, audited)."""
        ...

    def void(self, reason: str) -> Self:
        """The present deal is thrown in by the table (a cheat, a lost pack): dealt again, nothing scored."""
        ...

    def view(self) -> dict[str, object]:
        """The public state as plain JSON values, for bots and screens (documented by each game)."""
        ...


# Score sheets and records that begin in the middle ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal that was played with real cards ended, as far as the score needs it. What was not given is empty.

    tricks  tricks won, by seat
    took    the penalty cards that each seat took (Kasra's Complex: king of hearts, queens, diamonds)
    last    who took the last two tricks, in order (Kasra's last two)
    out     the seats in the order in which they went out (Kasra's Trix); the last one may be left away
    """

    tricks: tuple[int, ...] = ()
    took: tuple[CardSet, ...] = ()
    last: tuple[int, ...] = ()
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """Where a record begins. -1 and () mean that it does not say; what came before is then unknown and not checked.

    deal        number of its first deal
    dealer      who deals it
    owner       the owner of the kingdom (Kasra), the seat with goal 8 (Isti'mar): no 7 of hearts is looked for
    multiplier  of its first deal (Estimation)
    previous    points of the deal before, by seat, for the exchange (Isti'mar, 3-5-8)
    """

    deal: int = 1
    dealer: int = -1
    owner: int = -1
    multiplier: int = 1
    previous: tuple[int, ...] = ()


class Sheet(Protocol):
    """The functions that a game's module exports for game records, besides `GAME`."""

    def begin_at(self, options: Options, start: Start) -> State:
        """A state that waits for the pack (`NewPack`) of deal `start.deal`; nothing scored, totals 0. `options` is
        complete. `Illegal` (code ``bad-start``) when there is no such deal or something indispensable is not given."""
        ...

    def skip_hidden(self, state: State) -> State:
        """In a score-sheet deal: if `state` waits for what depends on hidden cards and is not a play (Estimation's
        void declarations, exchange, kitty and discards), the state after that phase, nothing checked or audited
        later. Otherwise `state` itself. Public choices (game, trump, contract, doubles, bids, estimates, show) are
        not skipped: the record gives them."""
        ...

    def score_sheet(self, state: State, outcome: Outcome) -> State:
        """`state` stands at the first play of the deal (declarations made). The state after the deal is scored by
        `outcome` (its `Result` appended, then `NewPack` or `Finished`; no `Audit`), exactly as if it had been played.
        `Illegal` (code ``bad-outcome``) when the outcome is impossible or incomplete, such as tricks that do not
        add up."""
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game: its default is `values[0]` (rules/conventions part F)."""

    name: str
    values: tuple[Value, ...]
    rule: str

    def parse(self, text: str) -> Value:
        """The value that `text` names; `ValueError` when the option does not offer it."""
        for value in self.values:
            if str(value) == text:
                return value
        raise ValueError(text)


@dataclass(frozen=True)
class Game:
    """A game as the table and the command line see it. Each module in `engine.games` exports one as `GAME`."""

    name: str
    seats: int
    options: tuple[Option, ...]
    starter: type
    presets: Mapping[str, Options] = field(default_factory=dict)

    def defaults(self) -> dict[str, Value]:
        """Every option with its default."""
        return {option.name: option.values[0] for option in self.options}

    def start(self, options: Options | None = None, dealer: int = 0) -> State:
        """A new game. `options` need hold only what differs from the defaults; `dealer` deals first (or is seat 0 of
        the draw). `Illegal` (code ``bad-option-name`` or ``bad-option-value``) for an option it does not have."""
        state: State = self.starter.begin(self.chosen(options), dealer)  # type: ignore[attr-defined]
        return state

    def chosen(self, options: Options | None = None) -> dict[str, Value]:
        """All options of a table that asks for `options`; `Illegal` as for `start`."""
        chosen = self.defaults()
        by_name = {option.name: option for option in self.options}
        for name, value in (options or {}).items():
            if name not in by_name:
                raise Illegal("F", "bad-option-name", option=name, game=self.name)
            if value not in by_name[name].values:
                raise Illegal("F", "bad-option-value", option=name, value=value)
            chosen[name] = value
        return chosen


# What follows from a claim --------------------------------------------------------------------------------------


def owner(position: int, seats: int) -> int:
    """The seat that the card at `position` of the pack goes to, or -1 for the kitty: dealt in turn, one by one.

    A fixed function of the position, never of roles (design/deck). Four seats get 13 cards; three seats get 16 and the
    last four positions are the kitty.
    """
    dealt = 52 if seats == 4 else 48
    return position % seats if position < dealt else -1


@lru_cache
def shares(positions: tuple[int, ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """These positions by the seat that their cards go to (`owner`); at the end, so at -1, those of the kitty."""
    return tuple(tuple(one for one in positions if owner(one, seats) == seat) for seat in (*range(seats), -1))


def remaining(hand: CardSet, action: Action, claim: Claim) -> CardSet:
    """What is left of a hand after an action."""
    return hand if claim.where is Where.STAYS else hand & ~action.cards


def holds(claim: Claim, action: Action, hand: CardSet) -> bool:
    """Whether a claim is true of a hand."""
    if action.cards & ~hand:
        return False
    left = remaining(hand, action, claim)
    for forbidden in claim.excludes:
        if not left & forbidden:
            break
    else:
        return False
    return not claim.includes or all(left & group for group in claim.includes)


def duty_claim(duties: tuple[Duty, ...], action: Action) -> Claim | None:
    """The claim of an action that names a card, or None when no duty speaks of it."""
    for duty in duties:
        if action.cards & duty.cards and duty.kind == (action.verb, action.to):
            return duty.claim(action)
    return None


def possible(state: State, seat: int, action: Action) -> bool:
    """Whether an action is possible whatever the hand is."""
    try:
        state.claim(seat, action)
    except Illegal:
        return False
    return True


def candidates(state: State, seat: int, cards: CardSet) -> Iterator[Action]:
    """See `State.candidates`."""
    named: dict[Kind, CardSet] = {}
    for duty in state.duties(seat):
        named[duty.kind] = named.get(duty.kind, NO_CARDS) | cards & duty.cards
    yield from _in_order(named, [action for action in state.choices(seat, cards) if possible(state, seat, action)])


def _in_order(named: dict[Kind, CardSet], others: list[Action]) -> list[Action]:
    """The actions that name one of these cards, and others, in canonical order: only plays come first."""
    naming_cards = [one for kind, cards in named.items() for one in map(naming(*kind).__getitem__, by_rank(cards))]
    return naming_cards + others if PLAYING in named else others + naming_cards


def check(state: State, seat: int, action: Action, hand: CardSet, received: Card | None = None) -> Claim:
    """The claim of an action that is legal for this hand; `Illegal` with the rule it breaks otherwise."""
    claim = state.claim(seat, action, received)
    if action.cards & ~hand:
        raise Illegal("D-1", "card-not-held", action=str(action))
    if not holds(claim, action, hand):
        raise Illegal(claim.rule, claim.code, action=str(action))
    return claim


def legal(state: State, seat: int, hand: CardSet, received: Card | None = None) -> list[Action]:
    """Every legal action of a seat with this hand, in canonical order."""
    named: dict[Kind, CardSet] = {}
    for duty in state.duties(seat, received):
        if not hand & ~duty.cards & duty.excludes:
            named[duty.kind] = named.get(duty.kind, NO_CARDS) | hand & duty.cards
    others = []
    for action in state.choices(seat, hand):
        try:
            claim = state.claim(seat, action, received)
        except Illegal:
            continue
        if claim is FREE or holds(claim, action, hand):
            others.append(action)
    return _in_order(named, others)


def forced(actions: Sequence[Action]) -> Action | None:
    """The return of an exchange, if it is all that is legal: where the rule leaves no choice, nobody is asked (S358-8,
    IST-14)."""
    return actions[0] if len(actions) == 1 and actions[0].verb == "return" else None


def asked(step: Step) -> tuple[int, ...]:
    """The seats that a step waits for."""
    if isinstance(step, Ask):
        return (step.seat,)
    match step:
        case TakeKitty(seat, _):
            return (seat,)
        case Sealed(seats):
            return seats
        case _:
            return ()
