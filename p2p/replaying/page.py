"""A game as one page for a browser: HTML, style, script and all data in a single file that loads nothing.

The page holds its sentences in both languages, made by `p2p.replaying.sentences`; the script only puts them in their
places. What strangers wrote (names, notes of bots) is cleaned, travels as JSON in which no tag can begin or end, and
is set as text. A Content-Security-Policy lets nothing run but the page's own script, which is known by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from engine.cards import CardSet, names
from engine.cards import card_name as notation
from engine.game import asked
from engine.record import Replay
from p2p.language import CODES, current, set_language, t
from p2p.replaying.frames import Frame
from p2p.replaying.sentences import first_frames, spoken, title
from p2p.terminal.facts import PENALTIES


def page(replayed: Replay, seen: Sequence[Frame]) -> str:
    """The page of a game: `seen` are the frames of the record that was replayed. It opens in the language in force, and
    the same game gives the same text."""
    parts = {name: files(__package__).joinpath(f"page.{name}").read_text("utf-8") for name in ("html", "css", "js")}
    marks = {
        "policy": f"default-src 'none'; script-src {_hash(parts['js'])}; style-src {_hash(parts['css'])}; "
        "base-uri 'none'; form-action 'none'",
        "title": html.escape(title(replayed)),
        "language": current().code,
        "direction": "rtl" if current().right_to_left else "ltr",
        "sorry": html.escape(t("replay-no-script")),
        "style": parts["css"],
        "script": parts["js"],
        "data": _json(_data(replayed, seen)),
    }
    pieces = parts["html"].split("@@")  # every second piece is the name of a mark
    return "".join(marks[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _json(value: object) -> str:
    """JSON in which no tag, comment or entity of HTML can begin."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def _data(replayed: Replay, seen: Sequence[Frame]) -> dict[str, Any]:
    """What the script is given. A frame leaves away what is as in the frame before."""
    language = current().code
    speech: dict[str, dict[str, Any]] = {}
    try:
        for code in CODES:
            set_language(code)
            speech[code] = spoken(replayed, seen)
            speech[code]["frames"] = [*_changes(speech[code]["frames"])]
    finally:
        set_language(language)
    begins = first_frames(seen)
    return {
        "language": language,
        "seats": replayed.game.seats,
        "deals": [seen.index(frame) for frame in begins],
        "frames": [*_changes(_lying(frame, begins) for frame in seen)],
        "scores": replayed.to_json()["deals"],
        "spoken": speech,
    }


def _changes(maps: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    before: Mapping[str, Any] = {}
    for one in maps:
        yield {key: value for key, value in one.items() if key not in before or before[key] != value}
        before = one


def _lying(frame: Frame, begins: Sequence[Frame]) -> dict[str, Any]:
    """The cards of a frame and where they lie; sets of cards are one word of card names."""
    table, cards = frame.table, frame.cards
    contract = table.get("contract")
    return {
        "deal": next(at for at, one in enumerate(begins) if (one.deal, one.attempt) == (frame.deal, frame.attempt)),
        "turn": [] if frame.result else list(asked(frame.state.step)),
        "counts": list(table["counts"]),
        "hands": [_word(hand) for hand in cards.hands] if cards else None,
        "new": [_word(new) for new in cards.new] if cards else None,
        "trick": [[seat, notation(card)] for seat, card in frame.trick],
        "taker": frame.taker,
        "rows": table["rows"] if contract == "trix" else None,
        "taken": [_penalties(held) for held in table["taken"]] if contract == "complex" else None,
        "doubled": "".join(name for held in table.get("doubled", ()) for name in held),
        "kitty": _word(frame.kitty),
        "kittySeat": frame.kitty_seat,
        "aside": _word(frame.aside),
        "asideSeat": table.get("declarer"),
        "scored": len(frame.state.results),
        "ends": frame.result is not None,
    }


def _word(cards: CardSet) -> str:
    return names(cards).replace(" ", "")


def _penalties(held: Sequence[str]) -> str:
    return "".join(name for name in held if name in PENALTIES)
