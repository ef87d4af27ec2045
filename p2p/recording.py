"""A game record made from a table's log: what the proofs hid during the game, put together once the deals are over.

A log never tells who was dealt what. After a deal that was scored it can be worked out, walking backwards from the end:

* cards played, shown and doubled stand in it, with the seat that held them;
* cards of the exchange are opened by the audit at the end of the deal, or recovered when a seat was lost;
* the four cards put aside are the ones that nobody else had, and in Trix the last player holds what nobody laid;
* a kitty that one seat alone saw is some four of that seat's twenty cards. Which ones, nobody else ever learns: the
  record names four with which everything that was done was right;
* after a claim nobody sees what the others still held, nor what lies aside: the record gives them these cards in some
  way that agrees with everything that was shown, proved and audited.

A deal that was thrown in, and one that the log breaks off in, never shows its hands. The record gives its public
declarations, why it was thrown in, and no cards, as a score sheet does (docs/records.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations

from engine.actions import Action
from engine.cards import FULL_PACK, NO_CARDS, PACK_SIZE, Card, CardSet, card_set, cards_in, parse_card, rank_of, suit_of
from engine.game import Sealed, Search, Step, owner
from engine.games import game as find_game
from engine.knowledge import arranged
from engine.record import Attempt, Deal, Move, Record
from engine.record.sheet import CARD_VERBS
from p2p import limits
from p2p.language.clean import clean_text
from protocol import messages
from protocol.deck.elgamal import Cipher
from protocol.deck.opening import open_with
from protocol.errors import Misuse, Refused
from protocol.log import Record as LogRecord
from protocol.log import decode_record_untrusted, table_of
from protocol.table import events
from protocol.table.checks import parse_untrusted
from protocol.table.pack import Deferred, Pack
from protocol.table.table import Finding, Table

KITTY_CARDS = 4
_COMMENT = re.compile(r"(?<!\S)#")


def record_of_untrusted(bodies: Iterable[bytes]) -> Record:
    """The game record of a log, given as the bodies of its frames; every proof is verified on the way.

    Raises `Refused` where the log is no good, with the number of that entry as ``number``.
    """
    recording: Recording | None = None
    for number, body in enumerate(bodies):
        try:
            record = decode_record_untrusted(body)
            if recording is None:
                recording = Recording(Table(table_of(record)))
            recording.take_untrusted(record)
        except Refused as refused:
            refused.values.setdefault("number", number)
            raise
    if recording is None:
        raise Refused("log-empty")
    return recording.record()


@dataclass(slots=True)
class _Done:
    """An action of the deal. `height` is its entry's; `given` the card handed over, as its new owner has it."""

    seat: int
    action: Action
    height: int
    by_standin: bool
    given: Cipher | None = None


@dataclass(slots=True)
class _Dealing:
    """One pack in play, as the log tells it.

    opened   height of a return -> (the card returned, the card that had been given)
    kitty    its cards, where everybody saw them
    in_vain  cards that no hand held
    """

    dealer: int
    pack: Pack
    done: list[_Done] = field(default_factory=list)
    opened: dict[int, tuple[Card, Card]] = field(default_factory=dict)
    kitty: CardSet = NO_CARDS
    in_vain: CardSet = NO_CARDS


class Recording:
    """Reads a log into a table and takes down what happens. Use it on a table that has read nothing yet."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.deals: list[Deal] = []
        self.cheats: list[str] = []
        self._now: _Dealing | None = None

    def take_untrusted(self, record: LogRecord) -> None:
        """Let the table take the next record of the log. Raises `Refused` where it is no good."""
        table = self.table
        height, before = table.chain.height, table.state
        finding = table.examine(table.take_untrusted(record), height)
        happened = table.settle(finding)
        if self._now is not None and before is not None:
            self._listen(self._now, before.step, finding, happened)
        for event in happened:
            if isinstance(event, events.Cheated):
                self.cheats.append(f"x-cheat {event.seat}: entry {event.height}, {event.code}")
        if self._now is None and table.in_play is not None and table.state is not None:
            self._now = _Dealing(table.state.dealer, table.in_play)

    def record(self) -> Record:
        """The record as far as the log was read. The deal that it breaks off in, if any, comes without cards."""
        table = self.table
        assert table.genesis is not None, "a log has a first record"
        deals = self.deals
        if self._now is not None and table.state is not None:
            deals = _with_attempt(deals, table.state.deal, _without_cards(self._now))
        defaults = find_game(table.genesis.game).defaults()
        bots = [f"x-bot {seat}: {fit_to_write(player.bot)}" for seat, player in enumerate(table.players) if player.bot]
        return Record(
            table.genesis.game,
            {name: value for name, value in table.genesis.options.items() if value != defaults[name]},
            [fit_to_write(player.name) for player in table.players],
            deals,
            table=table.id.hex(),
            keys={seat: player.key.hex() for seat, player in enumerate(table.players)},
            extras=[*bots, *self.cheats],
        )

    # --- what happens ---------------------------------------------------------------------------------------------

    def _listen(self, now: _Dealing, step: Step, finding: Finding, happened: list[events.Event]) -> None:
        """Take down what an entry did to the deal in play, which waited for `step`."""
        body, state = finding.body, self.table.state
        assert state is not None
        if isinstance(body, messages.Audit) and not finding.stale and finding.fault is None:
            height = now.pack.deferred[body.which].height
            now.opened[height] = (parse_untrusted(body.action).card, parse_card(body.received))
        acted = [event for event in happened if isinstance(event, events.Acted)]
        if isinstance(step, Search) and state.step != step and not acted:
            now.in_vain |= 1 << step.card
        if isinstance(step, Sealed):  # written in seat order, whoever would have been first
            answers = len(step.seats)
            acted[:answers] = sorted(acted[:answers], key=lambda event: event.seat)
        for one in acted:
            given = now.pack.received.get(one.action.to) if one.action.verb == "give" else None
            now.done.append(_Done(one.seat, one.action, finding.height, one.by_standin, given))
        for event in happened:
            if isinstance(event, events.Kitty):
                now.kitty = card_set(event.cards)
            elif isinstance(event, events.Redealt):
                attempt = _without_cards(now)
                attempt.redeal = state.redeals[-1]
                self.deals = _with_attempt(self.deals, state.deal, attempt)
                self._now = None
            elif isinstance(event, events.Scored):
                self.deals = _with_attempt(self.deals, event.result.deal, _Solved(now, self.table.seats).attempt())
                self.deals[-1].score, self.deals[-1].total = event.result.points, event.result.totals
                self._now = None


def fit_to_write(text: str) -> str:
    """A peer's text that stays what it is on a line of a record, where ``#`` after a space begins a comment."""
    return _COMMENT.sub("＃", clean_text(text, limits.NAME_LENGTH))


def _with_attempt(deals: list[Deal], number: int, attempt: Attempt) -> list[Deal]:
    """The deals with one more attempt at deal `number`."""
    if deals and deals[-1].number == number and not deals[-1].score:
        return [*deals[:-1], replace(deals[-1], attempts=[*deals[-1].attempts, attempt])]
    return [*deals, Deal(number, attempts=[attempt])]


def _without_cards(dealing: _Dealing) -> Attempt:
    """A deal whose hands stay unknown: what was declared in public."""
    # Who shows the card that is looked for is the one who then chooses: a score sheet does not write it down. A pass
    # is a bid, but in Trix (after the choice of a game) it is a play.
    left_out = {*CARD_VERBS, "show"}
    if any(done.action.verb == "game" for done in dealing.done):
        left_out.add("pass")
    told = [done for done in dealing.done if done.action.verb not in left_out]
    return _attempt(dealing.dealer, told)


def _attempt(dealer: int, done: list[_Done]) -> Attempt:
    moves = [Move(one.seat, one.action) for one in done]
    attempt = Attempt(dealer=dealer, moves=moves)
    for index, one in enumerate(done):
        if one.by_standin and one.seat not in {seat for _, seat in attempt.standins}:
            attempt.standins.append((index, one.seat))
    return attempt


class _Solved:
    """Works out the hands of a deal that was scored."""

    def __init__(self, dealing: _Dealing, seats: int) -> None:
        self.dealing = dealing
        self.seats = seats
        self.done = list(dealing.done)

    def attempt(self) -> Attempt:
        """The deal with its hands and every action in the open."""
        self._open_exchange()
        last = self._open_discards()
        kitty = self._kitty(last)
        hands = self._walk_back(last, kitty)
        attempt = _attempt(self.dealing.dealer, self.done)
        attempt.hands = {seat: _in_order(hand) for seat, hand in enumerate(hands)}
        attempt.kitty = _in_order(kitty)
        return attempt

    # --- hidden cards ---------------------------------------------------------------------------------------------

    def _open_exchange(self) -> None:
        """Every `give` is followed by its `return`."""
        for index, one in enumerate(self.done):
            if one.action.verb != "return":
                continue
            card, received = self._returned(one)
            self.done[index] = replace(one, action=replace(one.action, cards=1 << card, hidden=False))
            before = self.done[index - 1]
            if before.action.hidden:
                if received is None:
                    received = self._recovered(one.seat, before.given)
                self.done[index - 1] = replace(before, action=replace(before.action, cards=1 << received, hidden=False))

    def _returned(self, one: _Done) -> tuple[Card, Card | None]:
        """The card that went back, and the one it answered, if that had to be opened."""
        if one.by_standin:
            return one.action.card, None
        if one.height in self.dealing.opened:
            return self.dealing.opened[one.height]
        # The seat was lost before it could prove what it returned, and the others opened it.
        deferred = self._deferred(one)
        received = None if deferred.received is None else self._recovered(one.seat, deferred.received)
        return self._recovered(one.seat, deferred.moved), received

    def _deferred(self, one: _Done) -> Deferred:
        return next(deferred for deferred in self.dealing.pack.deferred if deferred.height == one.height)

    def _recovered(self, seat: int, cipher: Cipher | None) -> Card:
        assert cipher is not None
        point = self.dealing.pack.recovered_at(seat, cipher.a)
        if point is None:
            raise Misuse("a card of a scored deal that nobody opened")
        return open_with(cipher, [point])

    def _open_discards(self) -> list[CardSet]:
        """Name the discards; what the seats still hold after the last action."""
        used = NO_CARDS
        for one in self.done:
            if one.action.verb in ("play", "discard", "claim"):
                used |= one.action.cards
        unseen = _in_order(FULL_PACK & ~used)
        last = [NO_CARDS] * self.seats
        if self.done[-1].action.verb == "claim":
            unseen = self._after_claim(self.done[-1], unseen, last)
        for index, one in enumerate(self.done):
            if one.action.hidden:
                self.done[index] = replace(one, action=replace(one.action, cards=1 << unseen.pop(), hidden=False))
        if unseen:
            played = [one.seat for one in self.done if one.action.verb == "play"]
            last[min(range(self.seats), key=played.count)] = card_set(unseen)
        return last

    # --- what a claim left unseen ---------------------------------------------------------------------------------

    def _after_claim(self, claim: _Done, unseen: list[Card], last: list[CardSet]) -> list[Card]:
        """Give the seats' `last` cards out of the unseen ones, in a way that everything that was done agrees with; what
        is left was put aside."""
        last[claim.seat] = claim.action.cards
        folded = self.dealing.pack.folded
        slots = [(seat, cards) for seat, hand in enumerate(folded) if seat != claim.seat for cards in hand.values()]
        aside = [one.seat for one in self.done if one.action.hidden]
        lacks = [self._lacks(seat) for seat in range(self.seats)]
        # What a seat was proved not to have held when it returned a card can have come to it only from a kitty that it
        # alone saw: as few of these as possible, never more than there were.
        doubtful = [card for card in unseen if any(one >> card & 1 for _, one in lacks)]
        for some in (some for size in range(KITTY_CARDS + 1) for some in combinations(doubtful, size)):
            kitty = card_set(some)
            places = [cards & ~lacks[seat][0] & ~(lacks[seat][1] & ~kitty) for seat, cards in slots]
            places += [FULL_PACK & ~lacks[seat][0] & ~(lacks[seat][1] & ~kitty) for seat in aside]
            found = arranged(places, unseen)
            if found is not None:
                for (seat, _), card in zip(slots, found, strict=False):
                    last[seat] |= 1 << card
                return found[len(slots) :]
        raise Misuse("a claim after which the unseen cards fit nowhere")

    def _lacks(self, seat: int) -> tuple[CardSet, CardSet]:
        """Cards that a seat cannot hold after the last action by what was exchanged: what is known to have gone to
        another; and what it did not hold when it returned a card, unless it came later."""
        elsewhere = not_held = NO_CARDS
        for index, one in enumerate(self.done):
            to = self._handed_to(index)
            if to < 0:
                continue
            if to == seat:
                elsewhere, not_held = elsewhere & ~one.action.cards, not_held & ~one.action.cards
            else:
                elsewhere |= one.action.cards
            if one.action.verb == "return" and one.seat == seat and not one.by_standin:
                not_held |= self._proved_lacking(index)
        first = self._first_discard()
        if first >= 0 and self.done[first].seat == seat:
            not_held &= ~self.dealing.kitty
        return elsewhere, not_held

    def _handed_to(self, index: int) -> int:
        """The seat that a card went to with this action, or -1."""
        match self.done[index].action.verb:
            case "give":
                return self.done[index].action.to
            case "return":
                return self.done[index - 1].seat
            case _:
                return -1

    def _proved_lacking(self, index: int) -> CardSet:
        """The cards that a seat proved not to hold any more when it returned a card."""
        one = self.done[index]
        claim = self._deferred(one).state.claim(one.seat, one.action, self.done[index - 1].action.card)
        return claim.excludes[0]

    # --- backwards ------------------------------------------------------------------------------------------------

    def _first_discard(self) -> int:
        return next((index for index, one in enumerate(self.done) if one.action.verb == "discard"), -1)

    def _walk_back(self, last: list[CardSet], kitty: CardSet, until: int = 0) -> list[CardSet]:
        """The hands before action `until`; `kitty` is what was taken before the first discard."""
        hands, taken = list(last), self._first_discard()
        for index in range(len(self.done) - 1, until - 1, -1):
            one = self.done[index]
            match one.action.verb:
                case "play" | "discard":
                    hands[one.seat] |= one.action.cards
                case "give" | "return":
                    hands[self._handed_to(index)] &= ~one.action.cards
                    hands[one.seat] |= one.action.cards
            if index == taken:
                hands[one.seat] &= ~kitty
        return hands

    def _kitty(self, last: list[CardSet]) -> CardSet:
        """The kitty's cards; where one seat alone saw them, four with which everything it did was right."""
        first = self._first_discard()
        if first < 0 or self.dealing.kitty:
            return self.dealing.kitty
        slots = [at for at in range(PACK_SIZE) if owner(at, self.seats) < 0]
        if all(at in self.dealing.pack.open_cards for at in slots):  # the seat was lost before it mixed them in
            return card_set(self.dealing.pack.open_cards[at] for at in slots)
        seat = self.done[first].seat
        touched = aside = NO_CARDS
        must = self.dealing.in_vain
        for index, one in enumerate(self.done):
            if one.action.verb in ("give", "return", "show"):
                touched |= one.action.cards
            if one.action.verb == "discard":
                aside |= one.action.cards
            if one.action.verb == "return" and one.seat == seat:
                held = self._walk_back(last, NO_CARDS, index)[seat] & ~one.action.cards
                must |= held & self._proved_lacking(index)
        twenty = self._walk_back(last, NO_CARDS, first)[seat] & ~touched
        ordered = [*cards_in(must), *cards_in(twenty & aside & ~must), *cards_in(twenty & ~aside & ~must)]
        return card_set(ordered[:KITTY_CARDS])


def _in_order(cards: CardSet) -> list[Card]:
    """As people sort a hand. The order in which the cards were dealt says nothing, and mixing a hand loses it."""
    return sorted(cards_in(cards), key=lambda card: (suit_of(card), rank_of(card)), reverse=True)
