"""What a person typed, as one of the legal moves: pure.

A move may be typed as its number, in the notation (``play AS``), as just its card, suit or word (``AS``, ``S``,
``trix``), or in the words of the screen in either language, with any digits. Both what is typed and every legal move
are brought into one plain form, and these are compared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.actions import Action, parse_action
from engine.cards import RANKS, SUITS
from p2p.language import clean_text, t
from p2p.terminal.choices import example, numbers
from p2p.terminal.words import choice

SHOWN = 40
"""Characters of a typed line that are shown again when it was not understood."""


@dataclass(frozen=True)
class Unclear:
    """Nothing to play: the sentence that says why."""

    sentence: str


def understood(line: str, legal: Sequence[str], view: Mapping[str, Any]) -> str | Unclear:
    """The legal move that a line means, or what to tell the person."""
    plain, names = simplify(line), list(view.get("names") or ())
    if plain.isascii() and plain.isdigit():
        number = int(plain)
        chosen = [action for action, own in numbers(legal).items() if own == number]
        return chosen[0] if chosen else _wrong_number(number, legal, view)
    meant = [action for action in legal if plain in _forms(parse_action(action), names)]
    if not meant and len(legal) > 1:
        meant = [action for action in legal if plain in _short_forms(parse_action(action))]
    if len(meant) == 1:
        return meant[0]
    if meant:
        return Unclear(t("give-whom", example=example(parse_action(meant[0]))))
    return Unclear(_why_not(plain, legal, view) or t("turn-unclear", text=clean_text(line, SHOWN)))


# ---- one plain form -----------------------------------------------------------------------------------------------

_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "01234567890123456789")
_LETTERS = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ة": "ه", "ى": "ي", "ـ": "", "–": "-", "−": "-"})
_SYMBOLS = {"♠": " s ", "♥": " h ", "♦": " d ", "♣": " c ", "♤": " s ", "♡": " h ", "♢": " d ", "♧": " c "}

# What people say -> the word of the notation. Longer phrases first; Arabic in the spelling that `simplify` leaves.
_SAID: tuple[tuple[str, str], ...] = (
    ("no trumps|no trump|notrump|بدون طرنيب|بلا طرنيب|بدون حكم|لا ترنيب|صن|سانز", "nt"),
    ("no tricks|بدون اكلات|بلا اكلات|ميزير", "none"),
    ("last two tricks|last two|latoosh|lattoush|لطشين|لطوش", "ltooshain"),
    ("no dash call|no dash|بدون داش كول|بدون داش|بلا داش", "no dash"),
    ("dash call|داش كول|داش", "dash"),
    ("complex|كمبلكس|كومبلكس", "complex"),
    ("tarnib|tarneeb|طرنيب", "tarneeb"),
    ("trex|trix|تركس|تريكس", "trix"),
    ("spades|spade|البستوني|بستوني|سبيد|بيك", "s"),
    ("hearts|heart|الكبه|كبه|هاص|قلوب|هارت", "h"),
    ("diamonds|diamond|الديناري|ديناري|كارو|ديمن|ماس", "d"),
    ("clubs|club|السباتي|سباتي|تريفل|كلوبس|شجره", "c"),
    ("ace|اس|اص|اكه", "a"),
    ("king|شيخ|شايب|ملك", "k"),
    ("queen|بنت|ملكه", "q"),
    ("jack|ولد|شب|جاك", "j"),
    ("ten|عشره", "10"),
    ("claim the rest|the rest is mine|rest is mine|the rest|الباقي مضمون|الباقي لي|بقيه الاكلات لي|كلها لي", "claim"),
    ("nothing|no double|بلا تدبيل|لا شيء|بدون", "none"),
    ("باص|تمرير|مرر|امرر", "pass"),
    ("العب", "play"),
    ("اطلب|طلب", "bid"),
    ("قدر|تقدير", "estimate"),
    ("اعط|اعطي", "give"),
    ("اعد|ارجع", "return"),
    ("دبل", "double"),
    ("اختر", "game"),
    ("اعلن", "contract"),
    ("ضع", "discard"),
)
_PHRASES = [(re.compile(rf"(?<!\w)(?:{said})(?!\w)"), word) for said, word in _SAID]
_MARKS = re.compile(r"""[.,;:!?'"()\[\]{}«»،؛؟]""")
_CARD = re.compile(r"\b(10|[2-9tjqka])\s*(?:of\s+)?([shdc])\b")
_TURNED = re.compile(r"\b([shdc])\s+(10|[2-9tjqka])\b")
_BID = re.compile(r"\b(1[0-3]|[4-9])\s*(nt|[shdc])\b")


def simplify(text: str) -> str:
    """Small letters, western digits, cards and suits in the notation, one space between words."""
    shown = "".join(letter for letter in text if unicodedata.category(letter) not in ("Cf", "Mn"))
    plain = shown.translate(_DIGITS).casefold().translate(_LETTERS)
    for symbol, letter in _SYMBOLS.items():
        plain = plain.replace(symbol, letter)
    plain = " ".join(_MARKS.sub(" ", plain).split())
    for phrase, word in _PHRASES:
        plain = phrase.sub(word, plain)
    plain = _TURNED.sub(lambda found: f"{found[2]}{found[1]}", plain) if not _CARD.search(plain) else plain
    plain = _CARD.sub(lambda found: ("t" if found[1] == "10" else found[1]) + found[2], plain)
    return " ".join(_BID.sub(lambda found: f"{found[1]}{found[2]}", plain).split())


def _bid_form(action: Action) -> str:
    """A bid of ten looks like a card to `simplify`."""
    return simplify(f"{action.number}{action.word}")


def _forms(action: Action, names: Sequence[str]) -> Iterator[str]:
    """Every way to say a move, in the plain form."""
    text = str(action).lower()
    _, _, rest = text.partition(" ")
    yield simplify(text)
    yield simplify(choice(action, names))
    match action.verb:
        case "bid":
            yield _bid_form(action)
            yield f"bid {_bid_form(action)}"
        case "give":
            seat, card = rest.split()
            for whom in (seat, simplify(names[action.to]) if action.to < len(names) else seat):
                yield from (f"{whom} {card}", f"{card} {whom}", f"give {card} {whom}", f"give {whom} {card}")
        case "double" if not action.cards:
            yield from ("none", "pass")
        case "double":
            cards = rest.split()
            yield from (" ".join(order) for order in (cards, cards[::-1], sorted(cards)))
        case "no":
            yield from ("pass", "no")
        case "claim":
            yield "claim"  # its cards alone would be taken for a play
        case _:
            if rest:
                yield simplify(rest)


def _short_forms(action: Action) -> Iterator[str]:
    """What is clear only when no other move is said so."""
    match action.verb:
        case "give":
            card = str(action).split()[2].lower()
            yield from (card, f"give {card}")
        case "void":
            yield from ("redeal", "اعاده", "اعاده التوزيع") if action.word == "redeal" else ("play", "play on", "نكمل")
        case "full":
            yield from ("yes", "all")
        case "stop":
            yield from ("enough", "no more", "توقف", "كفي", "pass")
        case "double":
            yield from ("none",) if not action.cards else ()
        case "show" | "dash" | "pass":
            yield action.verb


# ---- why not ------------------------------------------------------------------------------------------------------


def _wrong_number(number: int, legal: Sequence[str], view: Mapping[str, Any]) -> Unclear:
    """A number that is none of the list: an estimate or a bid that is not possible, or just too high."""
    last = parse_action(legal[-1])
    if last.verb == "estimate":
        caller, estimates = view["caller"], view["estimates"]
        if caller >= 0 and number > estimates[caller]:
            return Unclear(t("estimate-above-bid", bid=estimates[caller]))
        if number <= last.number + 1:
            return Unclear(t("total-13", estimate=number))
        return Unclear(t("estimate-maximum", maximum=13))
    if last.verb == "bid":
        bids = [action for action in map(parse_action, legal) if action.verb == "bid"]
        return Unclear(t("bid-what", example=example(next((one for one in bids if one.number == number), bids[0]))))
    return Unclear(t("turn-number", count=max(numbers(legal).values())))


def _why_not(plain: str, legal: Sequence[str], view: Mapping[str, Any]) -> str:
    """The rule that forbids what was typed, where a person is likely to ask; "" where it was no move at all."""
    verb, word = parse_action(legal[-1]).verb, plain.rpartition(" ")[2]
    card = word.upper()
    if plain == "claim":
        leading = verb == "play" and view.get("contract") != "trix" and not view.get("trick")
        return t("claim-not-certain" if leading else "claim-not-leading")
    if verb == "bid" or (verb == "pass" and view.get("bid")):
        return _why_no_bid(word, view)
    if verb == "estimate" and word.isdigit():
        return _wrong_number(int(word), legal, view).sentence
    if len(card) == 2 and card[0] in RANKS and card[1] in SUITS:
        return _why_no_card(card, verb, legal, view)
    if plain == "pass" and view.get("contract") == "trix":
        return t("must-pass-only-with-none")
    if verb == "contract" and (word.upper() in (*SUITS, "NT") or word == "none"):
        return t("contract-declared")
    if verb == "game" and word in view.get("used", ()):
        return t("contract-used-already")
    return ""


def _why_no_bid(word: str, view: Mapping[str, Any]) -> str:
    found = re.fullmatch(r"(1[0-3]|[2-9t])(nt|[shdc])", word)
    if found is None:
        return ""
    if found[1] in "23":
        return t("bid-minimum", minimum=4)
    return t("bid-higher", bid=view["bid"])


def _why_no_card(card: str, verb: str, legal: Sequence[str], view: Mapping[str, Any]) -> str:
    if card not in view["hand"]:
        return t("card-not-held")
    if verb == "double":
        return t("double-not-allowed")
    if verb == "return":
        return t("return-highest")
    if view.get("contract") == "trix":
        return t("card-does-not-fit")
    trick = view.get("trick")
    if verb != "play" or not trick:
        return ""
    led = trick[0][1][1]
    allowed = {action.split()[1][1] for action in legal}
    if allowed == {led} and card[1] != led:
        return t("follow-suit")
    return t("play-higher" if card[1] in allowed else "must-trump")
