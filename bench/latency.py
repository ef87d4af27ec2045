"""From a key to the screen, in a real pseudo-terminal, while another thread of the same program verifies shuffles.

    python -m bench.latency

A key is sent as a terminal sends it; the time ends when its letter comes back, drawn in the prompt of a table of Kasra
at 80 × 24. Wall time, since a person waits for it.
"""

from __future__ import annotations

import fcntl
import os
import pty
import random
import select
import struct
import subprocess
import sys
import termios
import time
from dataclasses import replace
from statistics import median, quantiles

import trio

from bench.deck import FRESH, at
from bots.builtin import make
from bots.practice import bot_chooser
from engine.games import game as find_game
from engine.record import Recorder
from engine.referee import Referee, shuffled
from p2p.language import set_language
from p2p.replaying.frames import frames
from p2p.settings import Settings
from p2p.terminal.screen.app import Screen
from p2p.terminal.screen.canvas import Manner
from p2p.terminal.screen.scene import Question, Scene
from p2p.terminal.screen.table_page import TablePage
from p2p.terminal.screen.ui import Ui
from p2p.terminal.screen.watch import scene_of
from protocol.deck import elgamal, keys, labels, shuffle
from protocol.deck.group import mul_base

GOAL = 30.0
"""Milliseconds from key to screen, median: one sees no delay yet."""

KEYS = 200
WARM = 10
"""Keys before the measured ones, for what is made once and remembered."""

KEY, BACK = b"z", b"\x7f"
"""A letter that stands nowhere else on the screen, and what takes it away again."""

PATIENCE = 20.0
"""Seconds after which a program that does not answer is given up."""


def main() -> None:
    """A row a language and load."""
    print("\nfrom a key to the screen, real pseudo-terminal of 80 x 24, milliseconds")
    print(f"{'':<44}{'median':>8}{'goal':>6}{'p99':>8}")
    for language, load in (("en", "idle"), ("en", "verifying"), ("ar", "verifying")):
        times = measure(language, load)
        name = f"{language}, {'while shuffles are verified' if load == 'verifying' else 'nothing else to do'}"
        print(f"{name:<44}{median(times):>8.1f}{GOAL:>6.0f}{quantiles(times, n=100)[-1]:>8.1f}")


def measure(language: str, load: str) -> list[float]:
    """Milliseconds of each key press."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    words = [sys.executable, "-m", "bench.latency", language, load]
    environment = {**os.environ, "TERM": "xterm"}
    child = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True)
    os.close(slave)
    try:
        _until(master, b"\x1b[?25l")  # the screen is there
        _until_quiet(master)
        times = [_press(master) for _ in range(WARM + KEYS)]
        return times[WARM:]
    finally:
        child.kill()
        child.wait()
        os.close(master)


def _press(master: int) -> float:
    since = time.perf_counter()
    os.write(master, KEY)
    _until(master, KEY)
    spent = (time.perf_counter() - since) * 1000
    os.write(master, BACK)
    _until_quiet(master)
    return spent


def _until(master: int, wanted: bytes) -> None:
    seen = b""
    while wanted not in seen:
        if not select.select([master], [], [], PATIENCE)[0]:
            raise SystemExit(f"bench: the screen does not answer: {seen[-500:]!r}")
        try:
            seen += os.read(master, 65536)
        except OSError:  # Linux says so when the other end is closed
            raise SystemExit(f"bench: the screen has ended:\n{seen.decode('utf-8', 'replace')}") from None


def _until_quiet(master: int) -> None:
    """Until nothing was printed for a moment, as between two keys of a person."""
    while select.select([master], [], [], 0.05)[0]:
        os.read(master, 65536)


# --- the program in the terminal -----------------------------------------------------------------------------------


def moment() -> Scene:
    """A trick of Kasra in which somebody is asked."""
    game = find_game("kasra")
    referee = Referee.start(game, shuffled(random.Random(1).shuffle))
    recorder = Recorder(referee, ["Amal", "أبو علي", "Celine", "Dawud"])
    referee.play([bot_chooser(referee, make("random", seat)) for seat in range(game.seats)], 1)
    seen = frames(recorder.record)
    index = next(at for at, frame in enumerate(seen) if sum(frame.tricks) == 2 and len(frame.table["trick"]) == 2)
    scenes = (scene_of(seen, index, seat) for seat in range(game.seats))
    scene = next(scene for scene in scenes if scene.view["legal"])
    return replace(scene, question=Question(1, tuple(scene.view["legal"])), watched=None, verified=240)


def verify_for_ever() -> None:
    """What a peer does while the others shuffle, without a pause; it ends with the program."""
    seats = [1 + pow(7, seat + 400) for seat in range(4)]
    joint = keys.joint_key([mul_base(secret) for secret in seats])
    place = at(1, labels.STEP_SHUFFLE)
    pack = [elgamal.encrypt(card, 1 + pow(5, card + 400), joint) for card in range(52)]
    order, randomizers = [(7 * i + 3) % 52 for i in range(52)], [1 + pow(3, i + 400) for i in range(52)]
    outputs = shuffle.shuffle(pack, joint, order, randomizers)
    proof = shuffle.prove_shuffle(place, pack, outputs, joint, order, randomizers, FRESH)
    while True:
        shuffle.verify_shuffle(place, pack, outputs, joint, proof)


async def table(load: str) -> None:
    """The screen with that moment, for ever."""
    screen = Screen(lambda send: Ui(send, Settings(bidi="visual"), lambda settings: Manner()))
    scene = moment()
    async with trio.open_nursery() as nursery:
        if load == "verifying":
            nursery.start_soon(trio.to_thread.run_sync, verify_for_ever)
        screen.post(lambda: screen.ui.show(TablePage(screen.ui)))
        screen.post(scene)
        await screen.run()


if __name__ == "__main__":
    if len(sys.argv) == 3:
        set_language(sys.argv[1])
        trio.run(table, sys.argv[2])
    else:
        main()
