"""Carrying out a checked action: what it does to slots, to public knowledge, and to the state of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Action
from engine.cards import Card, CardSet, cards_in
from engine.game import Claim, Where
from engine.knowledge import Slot
from engine.standin import standin
from protocol.deck.elgamal import trivial
from protocol.table import events
from protocol.table.checks import Play
from protocol.table.pack import Deferred, FaceDown, Pack

if TYPE_CHECKING:
    from protocol.table.table import Table


def act(table: Table, seat: int, play: Play) -> None:
    """Carry out a checked action, or the stand-in's."""
    assert table.state is not None
    pack, action, claim = table.pack, play.action, play.claim
    before = table.state
    cards = list(cards_in(action.cards))
    returned = claim.deferred and claim.where is Where.SEAT
    if returned and not play.by_standin:
        _defer(table, seat, play)
    if returned:
        pack.received.pop(seat, None)
        pack.received_open.pop(seat, None)
    if claim.where is Where.STAYS:
        for slot, card in zip(play.slots, cards, strict=True):
            pack.knowledge.show(seat, slot, card)
    face_down = action.takes_card and claim.face_down
    for slot in play.slots if claim.where is not Where.STAYS else ():
        known = pack.knowledge.leave(seat, slot)
        if claim.where is Where.SEAT:
            _hand_over(table, play, known)
        if face_down:
            _remember(pack, seat, slot, play)
    for card in cards:
        pack.knowledge.see(card)
    if play.excluded:
        pack.knowledge.exclude(seat, play.excluded)
    if action.verb == "claim":
        pack.folded = pack.knowledge.fold()
    table.step += 1
    table.state = table.state.apply(seat, action.concealed() if face_down else action)
    table.emit(events.Acted(seat, action, play.proved, play.by_standin))
    table.notice(before)


def _hand_over(table: Table, play: Play, known: CardSet) -> None:
    pack, to = table.pack, play.claim.to
    (new,) = pack.new_slots(1)
    pack.received.pop(to, None)
    pack.received_open.pop(to, None)
    if not table.plays(to):
        card = play.action.card
        pack.take_open(to, new, card)
        pack.received_open[to] = card
        return
    cipher = play.handed or trivial(play.action.card, pack.keys[to])
    pack.take_card(to, new, cipher, known)
    pack.received[to] = cipher


def _remember(pack: Pack, seat: int, slot: Slot, play: Play) -> None:
    """Keep what whoever may know the card can open: it leaves one hand, and may not stay in the other."""
    if play.action.hidden:
        to = play.claim.to
        pack.face_down.append(FaceDown(seat, pack.slots[slot], to, pack.received.get(to)))
    else:
        pack.face_down.append(FaceDown(seat, card=play.action.card))


def _defer(table: Table, seat: int, play: Play) -> None:
    assert table.state is not None
    pack = table.pack
    left = [slot for slot in pack.hand(seat) if slot not in play.slots]
    pack.deferred.append(
        Deferred(
            seat=seat,
            height=table.now,
            state=table.state,
            action=play.action,
            left=tuple(pack.ciphers_of(left)),
            possible=tuple(pack.knowledge.hands[seat][slot] for slot in left),
            moved=pack.slots[play.slots[0]],
            received=pack.received.get(seat),
        )
    )


# --- the stand-in --------------------------------------------------------------------------------------------------


def standin_play(table: Table, seat: int) -> Play:
    """What the stand-in does for a seat whose hand lies open."""
    assert table.state is not None
    received = table.pack.received_open.get(seat)
    action = standin(table.state, seat, table.pack.open_hand(seat), received)
    claim = table.state.claim(seat, action, received)
    return Play(action, claim, _open_slots(table, seat, action.cards), 0, proved=False, by_standin=True)


def standin_shows(table: Table, seat: int, card: Card) -> Play:
    """The stand-in shows the card that is searched for."""
    cards = 1 << card
    action = Action("show", cards=cards)
    return Play(action, Claim(opens=cards), _open_slots(table, seat, cards), 0, proved=False, by_standin=True)


def _open_slots(table: Table, seat: int, cards: CardSet) -> tuple[Slot, ...]:
    by_card = {table.pack.open_cards[slot]: slot for slot in table.pack.hand(seat)}
    return tuple(by_card[card] for card in cards_in(cards))
