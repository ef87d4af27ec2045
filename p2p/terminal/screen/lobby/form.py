"""The form of a new table: game, rules, seats, who may come. Every option with its values and what they mean.

What is filled in is a `p2p.hosting.Hosting`, the very thing that a table is made from; nothing is kept twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from bots.builtin import turned as level_turned
from engine.game import Game, Illegal, Option, Options, Value
from engine.games import NAMES as GAMES
from engine.games import game as find_game
from p2p.host import Terms
from p2p.hosting import Hosting
from p2p.language import clean_text, digits, t
from p2p.language.cards import game_name, listed
from p2p.language.options import option_name, others_told, value_name
from p2p.limits import NAME_LENGTH
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.lobby.wishes import Open, ToStart
from p2p.terminal.screen.panes import GameRulesPane
from p2p.terminal.screen.rows import Row, RowsPage, draw_told
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Hint, Ui, turned
from p2p.trouble import told
from protocol.rules import TABLE_OPTIONS

USUAL = "seed"
"""The preset of a game without any of its own: nothing differs."""

BY_HAND = "own"
"""What no preset is."""

MANY = 20
"""Values from which on arrows go in larger steps; the others can be typed."""

STEP = 5

PORT_LIMIT = 65535

PORT_TEXT = 20
"""Characters of a pasted text in which a port is looked for."""

EXPLAINED = 4
"""Rows for what the row under the cursor means."""

ADMISSIONS: dict[str, tuple[str, bool]] = {"invited": ("ask", False), "asked": ("ask", True), "open": ("open", False)}
"""Who may come in: what the table does with those who found it on the network, and whether the invited ask, too."""


class FormPage(RowsPage):
    """Enter opens the table, from every row."""

    click_does = False

    def __init__(self, ui: Ui, hosting: Hosting, said: str = "", at: str = "") -> None:
        super().__init__(ui, at or "game")
        self.hosting = hosting
        self.said = said
        self.level = next(iter(hosting.bots), "steady")
        self._number = ("", "")  # the row on which a number is being typed, and its digits so far

    # --- what is filled in --------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """Which game."""
        return find_game(self.hosting.terms.game)

    @property
    def preset(self) -> str:
        """The preset that all options of the game are as in, or BY_HAND."""
        chosen = self.game.chosen(self.hosting.terms.options)
        same = (name for name, options in presets(self.game).items() if self.game.chosen(options) == chosen)
        return next(same, BY_HAND)

    @property
    def admission(self) -> str:
        """One of ADMISSIONS."""
        return "open" if self.hosting.lan == "open" else "asked" if self.hosting.ask else "invited"

    def _change(self, **values: object) -> None:
        self.said = ""
        self.hosting = replace(self.hosting, **values)  # type: ignore[arg-type]

    def _play(self, game: str, options: Options, rules: Mapping[str, Value]) -> None:
        """Other terms; seats that there are not get no bots."""
        self._change(terms=Terms(game, _differing(find_game(game).options, options), _differing(TABLE_OPTIONS, rules)))
        self._bots(len(self.hosting.bots))

    def _bots(self, number: int) -> None:
        most = self.game.seats - self.hosting.seated
        self._change(bots=(self.level,) * max(0, min(number, most)))

    # --- rows ---------------------------------------------------------------------------------------------------------

    def rows(self) -> list[Row]:
        """What kind of table, then the options of the game and those of every table."""
        return [*self._kind(), *self._options()]

    def _kind(self) -> Iterator[Row]:
        hosting, name = self.hosting, self.hosting.sitter.name
        terms, free = hosting.terms, self.game.seats - hosting.seated
        mark = "_" if self.on == "name" else ""
        yield self._row("game", game_name(terms.game), turn=self._turn_game)
        yield self._row("preset", t(f"preset-{self.preset}"), self.preset != USUAL, self._turn_preset)
        yield self._row("name", name + mark, write=self._write_name)
        yield self._row("seat", t("setting-on" if hosting.seated else "setting-off"), turn=self._turn_seat)
        yield self._row("bots", t("form-bots-of", count=len(hosting.bots), seats=free), turn=self._turn_bots)
        yield self._row("level", t(f"level-{self.level}"), turn=self._turn_level)
        announced = t("setting-off" if hosting.lan == "off" else "setting-on")
        yield self._row("lan", announced, turn=self._turn_lan)
        yield self._row("admission", t(f"form-admission-{self.admission}"), turn=self._turn_admission)
        port = digits(hosting.port) + ("_" if self.on == "port" else "")
        yield self._row("port", port, turn=self._turn_port, write=self._write_port)

    def _row(
        self,
        name: str,
        value: str,
        changed: bool = False,
        turn: Callable[[int], None] | None = None,
        write: Callable[[str], None] | None = None,
    ) -> Row:
        row = t("form-row", name=t(f"form-{name}"), value=value)
        return Row(name, _marked(row, changed), (Look.WARNING,) if changed else (), turn=turn, write=write)

    def _options(self) -> Iterator[Row]:
        terms = self.hosting.terms
        for group, options, chosen in (
            ("game", self.game.options, self.game.chosen(terms.options)),
            ("table", TABLE_OPTIONS, _chosen(TABLE_OPTIONS, terms.rules)),
        ):
            for option in options:
                if len(option.values) < 2:
                    continue  # nothing to choose
                value, usual = chosen[option.name], option.values[0]
                row = t("form-row", name=option_name(option.name), value=value_name(option.name, value))
                set_value = partial(self._set, group == "game", option)
                yield Row(
                    f"{group}:{option.name}",
                    _marked(row, value != usual),
                    (Look.WARNING,) if value != usual else (),
                    turn=partial(self._turn, option, value, set_value),
                    delete=None if value == usual else ("form-usual", partial(set_value, usual)),
                )

    # --- changing -----------------------------------------------------------------------------------------------------

    def _set(self, of_game: bool, option: Option, value: Value) -> None:
        terms = self.hosting.terms
        if of_game:
            self._play(terms.game, {**terms.options, option.name: value}, terms.rules)
        else:
            self._play(terms.game, terms.options, {**terms.rules, option.name: value})

    def _turn(self, option: Option, value: Value, set_value: Callable[[Value], None], step: int) -> None:
        values = _in_order(option)
        if len(values) < MANY:
            set_value(turned(values, value, step))
        else:
            at = values.index(value) + step * STEP
            set_value(values[max(0, min(at, len(values) - 1))])

    def _turn_game(self, step: int) -> None:
        self._play(turned(GAMES, self.hosting.terms.game, step), {}, self.hosting.terms.rules)

    def _turn_preset(self, step: int) -> None:
        names = list(presets(self.game))
        at = names.index(self.preset) + step if self.preset in names else 0
        self._play(self.game.name, presets(self.game)[names[at % len(names)]], self.hosting.terms.rules)

    def _write_name(self, text: str) -> None:
        sitter = self.hosting.sitter
        name = sitter.name[:-1] if text == "backspace" else (sitter.name + text)[:NAME_LENGTH]
        self._change(sitter=replace(sitter, name=name))

    def _turn_seat(self, step: int) -> None:
        self._change(seated=not self.hosting.seated)
        self._bots(len(self.hosting.bots))

    def _turn_bots(self, step: int) -> None:
        self._bots(len(self.hosting.bots) + step)

    def _turn_level(self, step: int) -> None:
        self.level = level_turned(self.level, step)
        self._bots(len(self.hosting.bots))

    def _turn_lan(self, step: int) -> None:
        self._change(lan="ask" if self.hosting.lan == "off" else "off")

    def _turn_admission(self, step: int) -> None:
        offered = [name for name in ADMISSIONS if name != "open" or self.hosting.lan != "off"]
        lan, ask = ADMISSIONS[turned(offered, self.admission, step)]
        self._change(lan="off" if self.hosting.lan == "off" else lan, ask=ask)

    def _turn_port(self, step: int) -> None:
        self._change(port=max(0, min(self.hosting.port + step, PORT_LIMIT)))

    def _write_port(self, text: str) -> None:
        """Digits go on with the number that is there, or, where that leads nowhere, begin another one."""
        if text == "backspace":
            self._change(port=self.hosting.port // 10)
            return
        typed = "".join(str(int(letter)) for letter in text[:PORT_TEXT] if letter.isdecimal())
        longer = (int(number) for number in (f"{self.hosting.port}{typed}", typed) if number)
        port = next((number for number in longer if number <= PORT_LIMIT), None)
        if port is None:
            self.said = t("form-bad-port", most=PORT_LIMIT)
        else:
            self._change(port=port)

    # --- keys ---------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Enter opens the table from every row; digits are typed on options that are numbers."""
        if key == "enter":
            self._open()
        elif len(key) == 1 and key.isdecimal() and self._typed(key):
            return
        else:
            super().press(key)

    def _typed(self, digit: str) -> bool:
        """A digit on an option with many numbers."""
        group, _, name = self.row.id.partition(":")
        option = next((one for one in (*self.game.options, *TABLE_OPTIONS) if one.name == name), None)
        if option is None or not isinstance(option.values[0], int):
            return False
        before = self._number[1] if self._number[0] == name else ""
        number = next((one for one in (before + digit, digit) if int(one) in option.values), before + digit)
        self._number = name, number[-len(str(PORT_LIMIT)) :]
        if int(number) in option.values:
            self._set(group == "game", option, int(number))
        return True

    def other(self, key: str) -> None:
        """Escape goes back, F4 shows the rules as they would be."""
        if key == "escape":
            self.ui.send(ToStart())
        elif key == "f4":
            terms = self.hosting.terms
            self.ui.open(GameRulesPane(self.ui, self.game, terms.options, terms.rules))

    def _open(self) -> None:
        sitter = self.hosting.sitter
        name = clean_text(sitter.name, NAME_LENGTH)
        if not name:
            self.said, self.on = t("form-no-name"), "name"
            return
        try:
            self.game.start(self.hosting.terms.options)
        except Illegal as illegal:
            self.said = told(illegal)
            return
        self.said = t("form-opening")
        self.ui.send(Open(replace(self.hosting, sitter=replace(sitter, name=name))))

    def hints(self) -> list[Hint]:
        """The way on, what the row does, the way back."""
        opened = Hint("Enter", t("form-open"), "enter")
        rest = [Hint("F4", t("hint-rules"), "f4"), Hint("Esc", t("hint-back"), "escape")]
        return [opened, *super().hints(), *rest]

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """The rows, and what the one under the cursor means."""
        size, explained = canvas.columns - 2, canvas.rows - EXPLAINED - 3
        canvas.line(0, t("form-title"), Look.TITLE, x=1, size=size)
        self.draw_rows(canvas, 2, explained - 3)
        line = "-" if canvas.manner.letters else "─"
        canvas.fill(1, explained - 1, size, 1, Look.BORDER, text=line)
        for at, (text, look) in enumerate(self._explained(canvas, size)[:EXPLAINED]):
            canvas.line(explained + at, text, look, x=1, size=size)
        draw_told(canvas, canvas.rows - 3, 2, self.said, Look.ERROR)

    def _explained(self, canvas: Canvas, size: int) -> list[tuple[str, Look]]:
        kind, _, name = self.row.id.partition(":")
        if not name:
            more = [t(f"level-{self.level}-more")] if kind == "level" else []
            more += [t(f"form-admission-{self.admission}-more")] if kind == "admission" else []
            texts = [t(f"form-{kind}-more"), *more]
            whole = canvas.folded(t(f"preset-{self.preset}"), size) if kind == "preset" else []
            lines = [(line, Look.DIM) for text in texts for line in canvas.folded(text, size)]
            return [*((line, Look.PROMPT) for line in whole), *lines]
        return [(line, look) for text, look in self._explained_option(kind, name) for line in canvas.folded(text, size)]

    def _explained_option(self, kind: str, name: str) -> list[tuple[str, Look]]:
        options: Sequence[Option] = self.game.options if kind == "game" else TABLE_OPTIONS
        option = next(one for one in options if one.name == name)
        terms = self.hosting.terms
        value = (self.game.chosen(terms.options) if kind == "game" else _chosen(TABLE_OPTIONS, terms.rules))[name]
        found = [(self.row.text.lstrip("* "), Look.PROMPT)]
        found += [(t("rules-others", values=_others(option, value)), Look.DIM)]
        if value != option.values[0]:
            found.append((t("form-usually", value=value_name(option.name, option.values[0])), Look.WARNING))
        return found


def presets(game: Game) -> dict[str, Options]:
    """All presets of a game; each has the usual rules."""
    return {USUAL: {}, **game.presets}


def _in_order(option: Option) -> tuple[Value, ...]:
    """The values as arrows go through them: numbers by size, words as they stand."""
    numbers = sorted(value for value in option.values if isinstance(value, int))
    return tuple(numbers) if len(numbers) == len(option.values) else option.values


def _others(option: Option, value: Value) -> str:
    """What else there is, by its meaning: nobody types it here."""
    if isinstance(value, int):
        return others_told(option, value)
    return listed(value_name(option.name, other) for other in option.values if other != value)


def _chosen(options: Sequence[Option], given: Mapping[str, Value]) -> dict[str, Value]:
    return {option.name: given.get(option.name, option.values[0]) for option in options}


def _differing(options: Sequence[Option], given: Mapping[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in _chosen(options, given).items() if value != _chosen(options, {})[name]}


def _marked(row: str, changed: bool) -> str:
    """What differs from the usual has a sign of its own, for screens without colours."""
    return f"{'*' if changed else ' '} {row}"
