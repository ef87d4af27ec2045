"""Writes tests/vectors/table/: what every peer must conclude alike from a log, in small pieces and in one piece.

    python -m tools.make_table_vectors [folder]

Everything comes from fixed seeds, so the files are the same every time. SPEC.md, section 14, says what each `check:`
means; tests/unit/spec runs them. `pack.txt` is a whole log from the genesis to the seats drawn: three seats, so that it
stays small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from engine.actions import Action, parse_action
from engine.cards import SUITS, CardSet, card_name, names, parse_card, parse_cards
from engine.game import Claim, Illegal, NewPack, OpenKitty, Release, Result, State, TakeKitty, Where, asked, owner
from engine.games.kasra.trix import playable
from engine.knowledge import Knowledge
from engine.lookup import find_game
from engine.standin import standin
from engine.tricks import Duties, beaters, duty
from protocol.deck.elgamal import trivial
from protocol.deck.group import G
from protocol.deck.nonce import Secrets
from protocol.deck.sealed import seal_own
from protocol.identity import Identity
from protocol.log import pack_record, sign_entry, terms_digest
from protocol.messages import PROTOCOL_VERSION, Body, Genesis
from protocol.table.answers import answer
from protocol.table.checks import obligation
from protocol.table.events import Seated
from protocol.table.holder import Holder
from protocol.table.pack import Pack
from protocol.table.table import Table
from tools.make_deck_vectors import Fields, Files, write
from tools.make_log_vectors import PEOPLE, TABLE, claim

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "vectors" / "table"

# name in the files -> what the duties of a trick are
DUTIES = {
    "follow": Duties("follow"),
    "trump": Duties("follow", must_trump=True, trump_rule="trump"),
    "beat": Duties("follow", must_trump=True, trump_rule="trump", must_beat=True, beat_rule="beat"),
    "beat-always": Duties("follow", True, "trump", True, "beat", beat_led_in_trumped_trick=True),
    "under-trump-free": Duties("follow", True, "trump", True, "beat", under_trump_free=True),
}
TRICKS = (
    # trick in the order played, trump, card
    ("", "-", "7S"),
    ("7S", "-", "8S"),
    ("7S", "-", "8H"),
    ("7S TS", "-", "8S"),
    ("7S", "H", "2S"),
    ("7S", "H", "2H"),
    ("7S", "H", "2C"),
    ("7S 9H", "H", "8S"),
    ("7S 9H", "H", "2S"),
    ("7S 9H", "H", "2H"),
    ("7S 9H", "H", "TH"),
    ("7S 9H", "H", "2C"),
    ("7S 9S", "S", "8S"),
    ("7S 9S", "S", "8D"),
    ("7S KD 9H", "H", "AD"),
)
CLAIMED = (
    ("AS KS", "-"),
    ("AS QS", "-"),
    ("AS QS", "S"),
    ("AS QS", "H"),
    ("AS AH KH AD", "H"),
    ("2C 4C 9D", "-"),
    ("2S", "S"),
)
ROWS = ("", "JH", "JH QH KH AH", "JH TH JS QS", "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC")


def build() -> dict[str, str]:
    """File name → text, for all vectors."""
    files = Files()
    for part in (_seats, _scores, _obligations, _tricks, _seals, _standins, _claims, _pack):
        part(files)
    return files.texts


def _seats(files: Files) -> None:
    for name, drawn in (("four", "9H AD 9S 2C"), ("suits", "QC QD QH QS"), ("three", "TS JC TD")):
        cards = [parse_card(text) for text in drawn.split()]
        order = sorted(range(len(cards)), key=lambda seat: (cards[seat] % 13, cards[seat] // 13), reverse=True)
        fields: Fields = [*(("card", text) for text in drawn.split()), *(("old-seat", seat) for seat in order)]
        files.case(f"draw-{name}", "draw", "Who drew the highest card takes seat 0 and deals first.", fields)
    for seats, word in ((4, "four"), (3, "three")):
        owners: Fields = [("seats", seats), *(("owner", owner(at, seats)) for at in range(52))]
        files.case(f"layout-{word}", "layout", "Whose card each position is; -1 is the kitty.", owners)


def _scores(files: Files) -> None:
    table = Table(TABLE)
    for name, points, totals, multiplier in (
        ("kasra", (-110, -30, -260, -100), (-110, -30, -260, -100), 1),
        ("doubled", (50, -22, 50, 42), (75, -33, 75, 63), 2),
        ("three", (-2, -2, 4), (0, -4, 4), 1),
    ):
        result = Result(2, points, (), totals, multiplier)
        fields: Fields = [("table", TABLE), ("deal", 2), ("multiplier", multiplier)]
        fields += [*(("points", one) for one in points), *(("total", one) for one in totals)]
        files.case(f"score-{name}", "score", "What every seat signs under a deal's score.",
                   [*fields, ("digest", table.score_digest(result))])  # fmt: skip


def _hex(cards: CardSet) -> str:
    return f"{cards:013x}"


def _obligations(files: Files) -> None:
    unseen = parse_cards("2C 3C 9D TD 7H KH AH 5S 6S")
    no_hearts = unseen & ~parse_cards("7H KH AH")
    hand = {3: unseen, 7: no_hearts, 11: unseen, 15: 1 << parse_card("5S")}
    hearts = parse_cards("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH")
    for name, about, text, leaving, excluded, shown in (
        ("renounce", "Not following hearts: two slots could hold one.", "play 5S", (15,), hearts, {}),
        ("implied", "No slot can hold what is forbidden: no proof.", "play 9D", (3,),
         parse_cards("4C"), {}),
        ("shown", "A card shown before needs no opening again.", "play 5S", (15,), hearts, {15: "5S"}),
        ("pass", "A pass: nothing leaves, all slots count.", "pass", (), parse_cards("KH 6S"), {}),
        ("own-card", "The card that is played is not among what remains.", "play KH", (3,), parse_cards("KH AH"), {}),
        ("free", "A play that claims nothing.", "play 2C", (11,), 0, {}),
    ):  # fmt: skip
        pack = Pack(1, (0, 1, 2, 3), 4)
        knowledge = pack.knowledge = Knowledge.of(4)
        knowledge.hands[2] = dict(hand)
        knowledge.shown = {slot: parse_card(card) for slot, card in shown.items()}
        pack.slots = dict.fromkeys(hand, trivial(0, G))  # the ciphers do not matter here
        action = parse_action(text)
        where = Where.TABLE if leaving else Where.STAYS
        owed = obligation(pack, 2, action, Claim(where=where, excludes=(excluded,)), leaving, 0)
        fields: Fields = [("slot", f"{slot} {_hex(cards)}") for slot, cards in hand.items()]
        fields += [("shown", f"{slot} {card}") for slot, card in shown.items()]
        fields += [("action", text), *(("leaves", slot) for slot in leaving), ("excluded", _hex(excluded))]
        fields += [("opened", card_name(card)) for _, card in owed.opened]
        fields += [("doubtful", slot) for slot in owed.slots]
        files.case(f"obligation-{name}", "obligation", about, [*fields, ("allowed", _hex(owed.allowed))])


def _tricks(files: Files) -> None:
    for name, duties in DUTIES.items():
        cases: Fields = []
        for trick, trump, text in TRICKS:
            played = tuple(enumerate(parse_card(one) for one in trick.split()))
            owed = duty(parse_card(text), played, None if trump == "-" else "CDHS".index(trump), duties)
            code = owed.code if owed.excludes else "-"
            cases.append(("case", "; ".join((trick or "-", trump, text, _hex(owed.excludes), code))))
        about = "Trick; trump; the card played; what the rest of the hand must not hold; code of a breach."
        files.case(f"duty-{name}", "duty", about, [("duties", name), *cases])
    beaten: Fields = [
        ("case", f"{hand}; {trump}; {_hex(beaters(parse_cards(hand), None if trump == '-' else SUITS.index(trump)))}")
        for hand, trump in CLAIMED
    ]
    files.case("beaters", "beaters", "A hand; trump; the cards that beat one of its cards when that is led.", beaten)
    files.case("trix", "trix", "Cards on the table; cards that fit.",
               [("case", f"{row or '-'}; {names(playable(parse_cards(row))) or '-'}") for row in ROWS])  # fmt: skip


def _seals(files: Files) -> None:
    secrets, value = Secrets(bytes([0x12]) * 32), "double QC KH"
    made, nonce = seal_own(secrets, TABLE, 3, 2, "seal/41", value.encode())
    fields: Fields = [("table", TABLE), ("serial", 3), ("seat", 2), ("name", "seal/41"), ("action", value)]
    files.case("seal", "seal", "An action sealed in the round that opened at step 41, and its nonce.",
               [*fields, ("nonce", nonce), ("seal", made)])  # fmt: skip


# --- the stand-in --------------------------------------------------------------------------------------------------


def advance(state: State, kitty: CardSet = 0) -> State:
    """The state once somebody is asked: whatever the table does by itself is done."""
    while True:
        match step := state.step:
            case NewPack() | Release() | TakeKitty():
                state = state.after(step)
            case OpenKitty():
                state = state.after(step, kitty)
            case _:
                return state


def follow(game: str, options: dict[str, str | int], events: Iterable[str], kitty: CardSet = 0) -> State:
    """The state after these events (``SEAT ACTION``; ``- vain`` for a search in vain)."""
    state = advance(find_game(game).start(options), kitty)
    for event in events:
        seat, text = event.split(" ", 1)
        state = state.after(state.step) if seat == "-" else state.apply(int(seat), parse_action(text))
        state = advance(state, kitty)
    return state


STANDINS: Sequence[tuple[str, str, str, dict[str, str | int], tuple[str, ...], str, str]] = (
    # name, about, game, options, events, hand, kitty
    ("game", "The first game not yet played.", "kasra", {}, ("2 show 7H",), "7H 2C 3C AS KS", ""),
    ("trump", "The longest suit; the first of equals in the order C D H S.", "kasra", {},
     ("2 show 7H", "2 game tarneeb"), "7H 2C 3C AS KS 2H", ""),
    ("double", "Doubles nothing.", "kasra", {}, ("2 show 7H", "2 game complex"), "KH QS 2C", ""),
    ("trix", "The lowest card that fits.", "kasra", {}, ("2 show 7H", "2 game trix"), "7H JS JC AS", ""),
    ("trix-pass", "Passes only when nothing fits.", "kasra", {}, ("2 show 7H", "2 game trix"), "7H 2S 2C AS", ""),
    ("void", "Says that a suit is missing, and plays on.", "estimation", {}, (), "2C 3C 4D 5D 6H", ""),
    ("full", "Says that none is missing.", "estimation", {}, (), "2C 3C 4D 5D 6H 7S", ""),
    ("bid", "Passes.", "estimation", {"void_rule": "off"}, (), "2C AS KS QS JS", ""),
    ("risk", "The last may not make the total 13.", "estimation", {"void_rule": "off"},
     ("1 bid 6S", "2 pass", "3 pass", "0 pass", "2 estimate 4", "3 estimate 3"), "2C AS", ""),
    ("follow", "The lowest card of the suit led.", "estimation", {"void_rule": "off"},
     ("1 bid 6S", "2 pass", "3 pass", "0 pass", "2 estimate 4", "3 estimate 4", "0 estimate 0", "1 play KD"),
     "2C 9D 4D AS", ""),
    ("contract", "A suit before no trump, the longest.", "three_five_eight", {}, (), "2S 3H 4H 5D 6D 7C", ""),
    ("discard", "The lowest rank, clubs before spades.", "three_five_eight", {}, ("1 contract NT",),
     "2S 2D 3C AH KH QH", "4C 5C 6C 7C"),
)  # fmt: skip


def _standins(files: Files) -> None:
    for name, about, game, options, events, hand, kitty in STANDINS:
        state = follow(game, options, events, parse_cards(kitty))
        seat = asked(state.step)[0]
        fields: Fields = [("game", game), *(("option", f"{key} {value}") for key, value in options.items())]
        fields += [("event", event) for event in events]
        fields += [("kitty", kitty)] if kitty else []
        fields += [("seat", seat), ("hand", hand)]
        action = standin(state, seat, parse_cards(hand))
        files.case(f"standin-{name}", "standin", about, [*fields, ("action", str(action))])


TOP = "AC KC AD 7H 8H 9H TH JH QH KH AH KS AS"
NO_VOIDS = {"void_rule": "off"}
CALLED = ("1 bid 6NT", "2 pass", "3 pass", "0 pass", "2 estimate 1", "3 estimate 1", "0 estimate 1")
IN_CLUBS = ("1 contract NT", *["1 discard ??"] * 4, "1 play AC")
CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC JS QS KS AS"
CLAIMS: Sequence[tuple[str, str, str, dict[str, str | int], tuple[str, ...], str]] = (
    # name, about, game, options, events, claim
    ("ok", "No card is beaten by any other.", "kasra", {}, ("2 show 7H", "2 game ltooshain"), TOP),
    ("beaten", "The six of hearts is, by the seven.", "kasra", {}, ("2 show 7H", "2 game ltooshain"),
     TOP.replace("7H", "6H")),
    ("trumped", "Another may hold a trump.", "kasra", {}, ("2 show 7H", "2 game tarneeb", "2 trump D"), TOP),
    ("trumps", "All trumps that are not played are in the hand.", "kasra", {},
     ("2 show 7H", "2 game tarneeb", "2 trump H"), "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"),
    ("part", "One card is kept back.", "kasra", {}, ("2 show 7H", "2 game ltooshain"), TOP.replace("AC ", "")),
    ("follows", "A card lies on the table.", "kasra", {}, ("2 show 7H", "2 game ltooshain", "2 play 2C"), TOP),
    ("declared", "Whether the others hold four suits is not seen.", "estimation", {},
     ("0 full", "1 full", "2 full", "3 full", *CALLED), TOP),
    ("undeclared", "Nothing was declared.", "estimation", NO_VOIDS, CALLED, TOP),
    ("aside", "The king of clubs lies aside: both others did not follow.", "three_five_eight", {},
     (*IN_CLUBS, "2 play 2D", "0 play 2H"), CLUBS),
    ("not-aside", "One other may hold it.", "three_five_eight", {}, (*IN_CLUBS, "2 play 2D", "0 play 2C"),
     CLUBS.replace("2C", "TS")),
)  # fmt: skip


def _claims(files: Files) -> None:
    for name, about, game, options, events, cards in CLAIMS:
        state = follow(game, options, events)
        seat, action = asked(state.step)[0], Action("claim", cards=parse_cards(cards))
        fields: Fields = [("game", game), *(("option", f"{key} {value}") for key, value in options.items())]
        fields += [*(("event", event) for event in events), ("seat", seat), ("action", str(action))]
        files.case(f"rest-{name}", "rest", about, fields, refusal(state, seat, action))


def refusal(state: State, seat: int, action: Action) -> str:
    """The code with which an action is refused in public, or ``ok``."""
    try:
        state.claim(seat, action)
    except Illegal as wrong:
        return wrong.code
    return "ok"


# --- a whole pack --------------------------------------------------------------------------------------------------


@dataclass
class Peer:
    """One player's program, with everything from seeds."""

    identity: Identity
    holder: Holder
    table: Table = field(default_factory=lambda: Table(TABLE))
    counter: int = 0

    def fresh(self, counter: int) -> bytes:
        """The fresh bytes of its entry with this counter."""
        return sha256(b"majlis vectors" + self.identity.public + counter.to_bytes(8, "big")).digest()


class Peers:
    """Three peers around one log, without sockets: the first orders it."""

    def __init__(self) -> None:
        self.peers = [Peer(PEOPLE[seat], Holder(Secrets(bytes([0xB0 + seat]) * 32))) for seat in range(3)]
        self.fields: Fields = [("table", TABLE)]
        self.seated: Seated | None = None
        terms = terms_digest(TABLE, "istimar", {}, {})
        claims = tuple(claim(seat, terms) for seat in range(3))
        self.add(self.peers[0], Genesis(PROTOCOL_VERSION, TABLE, "istimar", {}, {}, claims))

    @property
    def table(self) -> Table:
        return self.peers[0].table

    def add(self, peer: Peer, body: Body) -> None:
        """An entry, ordered and taken by all."""
        chain = self.table.chain
        peer.counter += 1
        entry = sign_entry(peer.identity, TABLE, peer.counter, chain.height, chain.head, body)
        record = chain.order(self.peers[0].identity, entry)
        for one in self.peers:
            taken = one.table.take_untrusted(record)
            for event in one.table.settle(one.table.examine(taken, record.height)):
                if isinstance(event, Seated):
                    self.seated = event
        self.fields += [("record", pack_record(record)), ("head", self.table.chain.head)]
        self.fields += [("open", text) for text in open_rounds(self.table)]

    def answer_one(self) -> None:
        """The first seat that owes something answers."""
        for peer in self.peers:
            seat = peer.table.seat_of(peer.identity.public)
            assert seat is not None
            for round in peer.table.owed(seat):
                chain, counter = self.table.chain, peer.counter + 1
                context = peer.table.context(round, seat, counter, chain.head)
                self.add(peer, answer(peer.table, peer.holder, round, context, peer.fresh(counter)))
                return
        raise AssertionError("nobody owes anything")


def open_rounds(table: Table) -> list[str]:
    """The open rounds as the vectors write them, each after the number of records so far."""
    return [
        f"{table.chain.height} {round.kind.value} {round.serial} {round.step} {' '.join(map(str, round.waiting))}"
        for round in table.rounds
    ]


def _pack(files: Files) -> None:
    peers = Peers()
    while peers.seated is None:
        peers.answer_one()
    fields = peers.fields
    fields += [("drawn", card_name(card)) for card in peers.seated.cards]
    fields += [("seat-key", player.key) for player in peers.table.players]
    files.case("pack", "pack", "A log from the genesis to the seats drawn. `open`: the number of records so far, then "
               "kind, serial, step, and the seats that owe.", fields)  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Write tests/vectors/table, or the folder that is named."""
    return write(build, FOLDER, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
