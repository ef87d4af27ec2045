"""What this peer alone knows: its keys, and through them its cards. Nothing here is ever sent or shown."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.actions import Action
from engine.cards import NO_CARDS, Card, CardSet, single
from engine.game import forced, legal
from engine.knowledge import Slot
from protocol.deck.elgamal import Cipher, decrypt
from protocol.deck.group import encode
from protocol.deck.nonce import Secrets
from protocol.table.pack import FaceDown, Pack
from protocol.table.rounds import Kind, Round
from protocol.table.table import Table


@dataclass
class Holder:
    """Secrets of one seat. `sealed` keeps the choices committed to but not yet shown, by the seal's name."""

    secrets: Secrets = field(repr=False)
    sealed: dict[tuple[int, str], str] = field(default_factory=dict, repr=False)
    _cards: dict[tuple[int, bytes], Card] = field(default_factory=dict, repr=False)

    def key(self, table: Table, serial: int) -> int:
        """The secret deal key of a pack."""
        return self.secrets.deal_key(table.id, serial)

    def card(self, table: Table, pack: Pack, cipher: Cipher) -> Card:
        """The card that a cipher under this peer's key holds."""
        place = (pack.serial, encode(cipher.a) + encode(cipher.b))  # open cards share one a
        if place not in self._cards:
            self._cards[place] = decrypt(self.key(table, pack.serial), cipher)
        return self._cards[place]

    def hand(self, table: Table, seat: int) -> dict[Slot, Card]:
        """The slots of this peer's hand with their cards."""
        pack = table.in_play
        if pack is None or seat not in pack.keys:
            return {}
        return {
            slot: pack.open_cards[slot] if slot in pack.open_cards else self.card(table, pack, pack.slots[slot])
            for slot in pack.hand(seat)
        }

    def cards(self, table: Table, seat: int) -> CardSet:
        """The hand as a set."""
        mask = 0
        for card in self.hand(table, seat).values():
            mask |= 1 << card
        return mask

    def received(self, table: Table, seat: int) -> Card | None:
        """The card just handed to this seat."""
        pack = table.pack
        if seat in pack.received:
            return self.card(table, pack, pack.received[seat])
        return pack.received_open.get(seat)

    def face_down(self, table: Table, seat: int) -> list[CardSet]:
        """The cards of the deal's face-down actions, in order, as far as this seat knows them: what it moved itself or
        was handed, and what everybody saw. `NO_CARDS` stands for any other."""
        pack = table.in_play
        return [] if pack is None else [self._moved(table, pack, seat, one) for one in pack.face_down]

    def uncovered(self, table: Table, seat: int, action: Action) -> Action:
        """The newest action, with its hidden card if this seat knows it."""
        pack = table.in_play
        if not action.hidden or pack is None:
            return action
        newest = next(one for one in reversed(pack.face_down) if one.card is None)  # a stand-in may have gone on openly
        known = self._moved(table, pack, seat, newest)
        return replace(action, cards=known, hidden=False) if known else action

    def _moved(self, table: Table, pack: Pack, seat: int, one: FaceDown) -> CardSet:
        cipher = one.moved if one.seat == seat else one.handed if one.to == seat else None
        card = one.card if cipher is None else self.card(table, pack, cipher)
        return NO_CARDS if card is None else single(card)

    def legal(self, table: Table, seat: int) -> list[Action]:
        """What this seat may do now."""
        assert table.state is not None
        return legal(table.state, seat, self.cards(table, seat), self.received(table, seat))

    def forced(self, table: Table, seat: int, round: Round) -> Action | None:
        """What the peer answers by itself, because the rule leaves no choice."""
        return forced(self.legal(table, seat)) if round.kind is Kind.ASK else None
