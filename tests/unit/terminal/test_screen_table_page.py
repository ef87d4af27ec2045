"""The page of a table: what is asked when, and which keys belong to whom."""

from __future__ import annotations

from dataclasses import replace

from p2p.language import set_language
from p2p.terminal.screen.scene import Answer, Scene
from p2p.terminal.screen.table_page import TablePage
from p2p.terminal.screen.ui import Ui
from tests.terminal.moments import Wanted, playing, scene


class Person:
    """Somebody at a table, and what he wished."""

    def __init__(self) -> None:
        set_language("en")
        self.wishes: list[object] = []
        self.ui = Ui(self.wishes.append)
        self.page = TablePage(self.ui)
        self.ui.pages = [self.page]

    def sees(self, *scenes: Scene, now: float = 0.0) -> str:
        for one in scenes:
            self.ui.take(one)
        return "\n".join(self.ui.draw(80, 24, now).text())


ASKED = scene(Wanted("asked", "kasra", playing(3, 1, "complex")))


def test_an_answered_question_is_not_asked_again_by_scenes_made_before_the_answer_arrived() -> None:
    person = Person()
    assert "Your turn" in person.sees(ASKED)
    person.ui.press("enter")
    person.ui.press("enter")
    assert isinstance(person.wishes[-1], Answer)
    assert "Your turn" not in person.sees(replace(ASKED, verified=241))
    person.ui.press("enter")
    person.ui.press("enter")
    assert len(person.wishes) == 1
    assert ASKED.question is not None
    following = replace(ASKED, question=replace(ASKED.question, id=ASKED.question.id + 1))
    assert "Your turn" in person.sees(following)


def test_enter_gathers_only_what_is_held_for_the_person_to_see() -> None:
    person = Person()
    person.sees(ASKED)
    person.ui.take(replace(ASKED, verified=241))  # comes while the key is pressed, and waits for nothing
    person.ui.press("enter")
    assert "Esc: put it back" in person.sees()
    held = Person()
    held.sees(replace(ASKED, question=None, hold=9.0))
    assert "Your turn" not in held.sees(ASKED)
    held.ui.press("enter")
    assert "Your turn" in held.sees() and not held.wishes


def test_what_was_said_to_a_command_goes_when_something_happens_or_a_key_is_pressed() -> None:
    person = Person()
    waits = replace(ASKED, question=None, view={**ASKED.view, "asked": [1]})
    person.sees(waits)
    for later in (lambda: person.sees(replace(waits, moved=1)), lambda: person.ui.press("left")):
        person.page.submit("/settings bell off")
        assert "bell = off" in person.sees(waits)
        later()
        assert "bell = off" not in person.sees(waits)
