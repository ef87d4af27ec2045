"""The text files in tests/vectors/table say what every peer must conclude; and they are what the generator makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.actions import parse_action
from engine.cards import SUITS, parse_card, parse_cards
from engine.game import Claim, Result, Where, asked, owner
from engine.games.kasra.trix import playable
from engine.knowledge import Knowledge
from engine.standin import standin
from engine.tricks import beaters, duty
from protocol.deck.elgamal import trivial
from protocol.deck.group import G
from protocol.deck.sealed import check_seal
from protocol.log import decode_record_untrusted
from protocol.table.checks import obligation
from protocol.table.events import Seated
from protocol.table.pack import Pack
from protocol.table.table import Table
from tests.unit.spec.test_log_vectors import Vector, same
from tools import make_table_vectors
from tools.make_table_vectors import DUTIES, follow, open_rounds, refusal

FOLDER = Path(__file__).parents[2] / "vectors" / "table"
FILES = sorted(path.name for path in FOLDER.glob("*.txt"))


def numbers(v: Vector, name: str) -> list[int]:
    return [int(word) for word in v.words(name)]


def draw(v: Vector) -> str:
    ranks = "23456789TJQKA"
    cards = v.words("card")
    order = sorted(range(len(cards)), key=lambda s: (ranks.index(cards[s][0]), "CDHS".index(cards[s][1])), reverse=True)
    return same(order, numbers(v, "old-seat"))


def score(v: Vector) -> str:
    points, totals = tuple(numbers(v, "points")), tuple(numbers(v, "total"))
    result = Result(int(v.word("deal")), points, (), totals, int(v.word("multiplier")))
    return same(Table(v.data("table")).score_digest(result), v.data("digest"))


def owed(v: Vector) -> str:
    pack, hand = Pack(1, (0,), 4), {}
    for line in v.words("slot"):
        slot, cards = line.split()
        hand[int(slot)] = int(cards, 16)
    pack.knowledge = Knowledge.of(4)
    pack.knowledge.hands[2] = hand
    for line in v.words("shown"):
        slot, card = line.split()
        pack.knowledge.shown[int(slot)] = parse_card(card)
    pack.slots = dict.fromkeys(hand, trivial(0, G))  # the ciphers do not matter here
    leaves = tuple(numbers(v, "leaves"))
    claim = Claim(where=Where.TABLE if leaves else Where.STAYS, excludes=(int(v.word("excluded"), 16),))
    found = obligation(pack, 2, parse_action(v.word("action")), claim, leaves, 0)
    assert [card for _, card in found.opened] == [parse_card(text) for text in v.words("opened")]
    assert found.slots == numbers(v, "doubtful")
    return same(found.allowed, int(v.word("allowed"), 16))


def duties(v: Vector) -> str:
    for case in v.words("case"):
        trick, trump, card, excluded, code = case.split("; ")
        played = tuple(enumerate(parse_card(one) for one in trick.replace("-", "").split()))
        found = duty(parse_card(card), played, None if trump == "-" else "CDHS".index(trump), DUTIES[v.word("duties")])
        assert found.excludes == int(excluded, 16), case
        assert code == (found.code if found.excludes else "-"), case
    return "ok"


def beaten(v: Vector) -> str:
    for case in v.words("case"):
        hand, trump, found = case.split("; ")
        assert beaters(parse_cards(hand), None if trump == "-" else SUITS.index(trump)) == int(found, 16), case
    return "ok"


def rest(v: Vector) -> str:
    state, seat = follow(v.word("game"), v.pairs("option"), v.words("event")), int(v.word("seat"))
    assert asked(state.step) == (seat,)
    return refusal(state, seat, parse_action(v.word("action")))


def trix(v: Vector) -> str:
    for case in v.words("case"):
        row, fits = (parse_cards(part.replace("-", "")) for part in case.split("; "))
        assert playable(row) == fits
    return "ok"


def sealed(v: Vector) -> str:
    place = v.data("table"), int(v.word("serial")), int(v.word("seat")), v.word("name")
    check_seal(v.data("seal"), *place, v.word("action").encode(), v.data("nonce"))
    return "ok"


def stands_in(v: Vector) -> str:
    kitty = parse_cards(" ".join(v.words("kitty")))
    state = follow(v.word("game"), v.pairs("option"), v.words("event"), kitty)
    seat = int(v.word("seat"))
    assert asked(state.step)[0] == seat
    return same(str(standin(state, seat, parse_cards(v.word("hand")))), v.word("action"))


def pack(v: Vector) -> str:
    """Everything a peer without secrets concludes from the log, record by record."""
    table, heads, drawn = Table(v.data("table")), v.datas("head"), None
    opened: dict[str, list[str]] = {}
    for line in v.words("open"):
        opened.setdefault(line.split(" ", 1)[0], []).append(line)
    for number, packed in enumerate(v.datas("record")):
        finding = table.examine(table.take_untrusted(decode_record_untrusted(packed)), number)
        assert not finding.stale and finding.fault is None
        for event in table.settle(finding):
            drawn = event if isinstance(event, Seated) else drawn
        assert table.chain.head == heads[number]
        assert open_rounds(table) == opened[str(number + 1)]
    assert drawn is not None
    assert list(drawn.cards) == [parse_card(text) for text in v.words("drawn")]
    return same([player.key for player in table.players], v.datas("seat-key"))


CHECKS: dict[str, Callable[[Vector], str]] = {
    "draw": draw,
    "layout": lambda v: same([owner(at, int(v.word("seats"))) for at in range(52)], numbers(v, "owner")),
    "score": score,
    "obligation": owed,
    "duty": duties,
    "beaters": beaten,
    "rest": rest,
    "trix": trix,
    "seal": sealed,
    "standin": stands_in,
    "pack": pack,
}


@pytest.mark.parametrize("name", FILES)
def test_a_vector_gives_what_it_expects(name: str) -> None:
    vector = Vector((FOLDER / name).read_text(encoding="utf-8"))
    assert CHECKS[vector.word("check")](vector) == vector.word("expect")


def test_the_generator_makes_these_files_and_no_others() -> None:
    """If this fails, the protocol changed: then `make vectors`, and say so in the changelog and in SPEC.md."""
    made = make_table_vectors.build()
    assert sorted(made) == FILES
    assert [name for name in FILES if (FOLDER / name).read_text(encoding="utf-8") != made[name]] == []


def test_every_check_has_a_file() -> None:
    assert {Vector((FOLDER / name).read_text(encoding="utf-8")).word("check") for name in FILES} == set(CHECKS)
