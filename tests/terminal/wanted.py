"""Which moments are kept as snapshots: every phase of every game, and what else can happen at a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.game import Value
from p2p.terminal.screen.scene import Scene
from tests.terminal.moments import Wanted, barred, both, claimable, phase, playing, present, scored, seen

HERE = ("here",) * 4
SHORT: Mapping[str, Value] = {"deals": 6}
"""Of 3-5-8, which takes long to play."""


def _hurried(scene: Scene) -> Scene:
    """With half a minute left on the own clock."""
    return replace(scene, question=replace(scene.question, until=28.0)) if scene.question else scene


def _missing(scene: Scene) -> Scene:
    """Whoever is asked has lost the connection; a bot sits in the last seat."""
    asked = scene.view["asked"][0]
    states = ("missing" if seat == asked else "here" for seat in range(scene.seats))
    return present(*states, waiting={asked: 272.0}, bots=1)(scene)


def _replaced(scene: Scene) -> Scene:
    """A stand-in plays for one, the own seat is away, a bot sits in the last."""
    return replace(present("here", "stand-in", "here", "here", bots=1)(scene), away=True)


def _shuffling(scene: Scene) -> Scene:
    """Before the first cards: two have shuffled."""
    return replace(present(*HERE, done=2, total=4)(scene), scored=None, trick=(), winner=-1)


KASRA = (
    Wanted("choose", "kasra", phase("choose"), changed=_hurried),
    Wanted("choose-watched", "kasra", phase("choose"), other=True),
    Wanted("double", "kasra", both(phase("double"), seen(lambda view: len(view["legal"]) > 2)), keys=("enter",)),
    Wanted("complex", "kasra", both(playing(8, 2, "complex"), barred, seen(lambda view: any(view["doubled"])))),
    Wanted("complex-claim", "kasra", both(phase("play", "complex"), claimable)),
    Wanted("complex-taken", "kasra", both(phase("play", "complex"), lambda frame, _: frame.taker >= 0), other=True),
    Wanted("trump", "kasra", phase("trump"), deals=4),
    Wanted("tarneeb", "kasra", both(playing(4, 3, "tarneeb"), barred), deals=4),
    Wanted("last-two", "kasra", playing(12, 1, "ltooshain"), deals=4),
    Wanted("trix", "kasra", both(phase("play", "trix"), seen(lambda view: sum(view["counts"]) == 24)), deals=4),
    Wanted("trix-out", "kasra", both(phase("play", "trix"), seen(lambda view: len(view["out"]) == 1)), deals=4),
    Wanted("points", "kasra", scored, other=True),
)

ESTIMATION = (
    Wanted("void", "estimation", both(phase("void"), seen(lambda view: len(view["legal"]) > 1)), seed=2),
    Wanted("bid", "estimation", both(phase("bid"), seen(lambda view: len(view["auction"]) == 1))),
    Wanted("bid-high", "estimation", both(phase("bid"), seen(lambda view: len(view["auction"]) == 3))),
    Wanted(
        "bid-until-pass",
        "estimation",
        both(phase("bid"), seen(lambda view: len(view["auction"]) == 7)),
        options={"auction": "until_pass", "dash_timing": "before_bidding"},
        other=True,
    ),
    Wanted("dash", "estimation", phase("dash"), options={"dash_timing": "before_bidding"}),
    Wanted("estimate", "estimation", phase("estimate"), keys=("right", "enter")),
    Wanted(
        "estimate-last",
        "estimation",
        both(phase("estimate"), seen(lambda view: view["risk"] == view["seat"] and sum(view["estimates"]) < 12)),
        seed=13,
        deals=4,
    ),
    Wanted("play", "estimation", both(playing(3, 2), barred)),
    Wanted("with", "estimation", both(playing(3, 2), seen(lambda view: view["with"] and view["dashes"])), seed=2),
    Wanted(
        "speed",
        "estimation",
        both(phase("estimate"), seen(lambda view: view["speed"] and max(view["estimates"]) > 0)),
        deals=2,
        options={"normal_deals": 1, "speed_deals": 1},
    ),
    Wanted("doubled", "estimation", both(phase("play"), seen(lambda view: view["multiplier"] > 1)), deals=3),
    Wanted("points", "estimation", both(scored, lambda frame, _: any(frame.totals)), other=True, deals=3),
)

ISTIMAR = (
    Wanted("choose", "istimar", phase("choose")),
    Wanted("give", "istimar", phase("exchange"), deals=2, keys=("enter",)),
    Wanted("exchange-watched", "istimar", phase("exchange"), deals=2, other=True),
    Wanted(
        "owing",
        "istimar",
        both(phase("exchange"), seen(lambda view: view["exchange"]["owing"] is not None)),
        deals=2,
        other=True,
    ),
    Wanted("discard", "istimar", both(phase("discard"), seen(lambda view: len(view["hand"]) == 20))),
    Wanted(
        "discard-watched", "istimar", both(phase("discard"), seen(lambda view: max(view["counts"]) == 18)), other=True
    ),
    Wanted("discard-closed", "istimar", phase("discard"), other=True, options={"kitty_shown": "owner"}),
    Wanted("play", "istimar", both(playing(5, 1), barred)),
    Wanted("claim", "istimar", claimable),
    Wanted("points", "istimar", scored, other=True),
)

THREE_FIVE_EIGHT = (
    Wanted(
        "choose",
        "three_five_eight",
        both(phase("choose"), seen(lambda view: view["deal"] > 3)),
        deals=4,
        options=SHORT,
    ),
    Wanted("give", "three_five_eight", phase("exchange"), deals=2, options=SHORT),
    Wanted(
        "return",
        "three_five_eight",
        both(phase("exchange"), seen(lambda view: view["received"] and len(view["legal"]) > 1)),
        deals=2,
        options=SHORT,
    ),
    Wanted("discard", "three_five_eight", phase("discard")),
    Wanted("play", "three_five_eight", both(playing(6, 1, "S"), barred)),
    Wanted("no-trump", "three_five_eight", playing(6, 1, "NT"), seed=4),
    Wanted("no-tricks", "three_five_eight", playing(6, 2, "none"), seed=18),
    Wanted("points", "three_five_eight", scored, other=True),
)

TABLE = (
    Wanted("shuffle", "kasra", scored, other=True, changed=_shuffling),
    Wanted("missing", "kasra", playing(2, 1), other=True, changed=_missing),
    Wanted("stand-in", "estimation", playing(2, 1), other=True, changed=_replaced),
    Wanted("proving", "istimar", playing(2, 1), other=True, changed=lambda scene: replace(scene, busy="proving")),
    Wanted("why-not", "istimar", both(playing(5, 1), barred), keys=("end", "enter")),
    Wanted("typed", "istimar", both(playing(5, 1), barred), keys=("j", "d")),
    Wanted("talking", "kasra", playing(2, 1), keys=("f5", *"well played")),
    Wanted("hidden", "kasra", both(phase("play", "trix"), seen(lambda view: view["legal"][1:])), deals=4, keys=("f7",)),
)

ALL = (*KASRA, *ESTIMATION, *ISTIMAR, *THREE_FIVE_EIGHT)
