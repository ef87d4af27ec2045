"""`majlis bot check`: whether a program is fit to play a seat, and if not, exactly what to mend."""

from __future__ import annotations

import json
from pathlib import Path

import click
import trio

from bots.check.findings import Finding, Report, Trial
from bots.check.trials import check as examine
from bots.programs import PROGRAM, Ending
from bots.transcript import Transcript
from p2p.cli.common import fail, games, sentences
from p2p.cli.records import json_option
from p2p.language import clean_text, t, tn
from p2p.language.cards import game_name
from p2p.trouble import cleaned, how_it_ended
from protocol.seat import Clocks

SHOWN = 300
"""Characters shown of what a program wrote."""

SHORTEST = 1.0
"""Seconds of the shortest clock that a table can agree on (protocol.rules)."""

GUIDE = "docs/bots.md"
INDENT = "    "

_NAMED_REASONS = ("check-misfit",)
"""Findings whose sentence says why, in a sentence of its own."""


@click.group(help=t("help-bot"))
def bot() -> None:
    """What is for those who write bots."""


@bot.command(help=t("help-bot-check", port="{port}", token="{token}"))
@click.argument("command", metavar="COMMAND")
@click.option("--game", "played", multiple=True, type=click.Choice(games()), help=t("opt-check-game"))
@click.option(
    "--bot-seconds", type=click.FloatRange(0.05, 120), default=5.0, show_default=True, help=t("opt-bot-seconds")
)
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False), help=t("opt-check-log"))
@click.option("--transcript", type=click.Path(path_type=Path, dir_okay=False), help=t("opt-transcript"))
@json_option
def check(
    command: str, played: tuple[str, ...], bot_seconds: float, log: Path | None, transcript: Path | None, as_json: bool
) -> None:
    for path in (log, transcript):
        if path is not None:
            _writable(path)

    if bot_seconds < SHORTEST:
        click.echo(t("check-short-clock", seconds=f"{bot_seconds:g}"), err=True)

    async def run() -> tuple[Report, str]:
        tape = None if transcript is None else Transcript(transcript)
        clocks, told = Clocks(move=bot_seconds), (lambda trial: None) if as_json else _tell
        report = await examine(command.removeprefix(PROGRAM), played, clocks=clocks, log=log, tape=tape, told=told)
        return report, "" if tape is None else tape.trouble

    with sentences():
        report, trouble = trio.run(run, restrict_keyboard_interrupt_to_checkpoints=True)
    if trouble:
        click.echo(t("check-file", path=str(transcript), reason=trouble), err=True)
    if as_json:
        click.echo(json.dumps(to_json(report, bot_seconds), indent=2, ensure_ascii=False))
    else:
        _sum_up(report, bot_seconds)
    if not report.fit:
        raise SystemExit(1)


def _writable(path: Path) -> None:
    try:
        path.open("ab").close()
    except OSError as error:
        fail("check-file", 2, path=str(path), reason=error.strerror or "")


def _tell(trial: Trial) -> None:
    """A trial as it ends: a line, and for each fault what was sent, what came, and what to mend."""
    what = title(trial)
    if trial.skipped:
        click.echo(t("check-skipped", what=what))
        return
    if trial.count:
        what = f"{what} ({tn('check-asked', trial.count)})"
    click.echo(t("check-well" if trial.well else "check-wrong", what=what))
    for finding in trial.findings:
        for line in told(trial, finding):
            click.echo(INDENT + line)
    for code, count in trial.counts.items():
        more = count - sum(finding.code == code for finding in trial.findings)
        if more:
            click.echo(INDENT + tn("check-more", more))


def title(trial: Trial) -> str:
    """What was tried, in words."""
    what = t(f"check-trial-{trial.name}")
    return t("check-in-game", game=game_name(trial.game), what=what) if trial.game else what


def told(trial: Trial, finding: Finding) -> list[str]:
    """A fault in lines: what happened, what was sent, what came, what to mend."""
    lines = [sentence(finding)]
    if finding.ending is not None:
        lines += _standard_error(finding.ending)
    if finding.sent:
        lines.append(t("check-sent", message=clean_text(finding.sent, SHOWN)))
        if finding.came:
            lines.append(t("check-came", message=clean_text(finding.came, SHOWN)))
        else:
            lines.append(t("check-came-nothing"))
    elif finding.came:
        lines.append(t("check-came", message=clean_text(finding.came, SHOWN)))
    code, section = trial.mend(finding.code)
    lines.append(t("check-mend", what=t(code), section=f"{GUIDE}#{section}"))
    return lines


def _standard_error(ending: Ending) -> list[str]:
    """What a program that stopped said last."""
    if not ending.words:
        return [t("check-no-words")]
    return [t("check-words"), *(INDENT + clean_text(line, SHOWN) for line in ending.words)]


def sentence(finding: Finding) -> str:
    """What happened, in a sentence."""
    values = cleaned(dict(finding.values))
    if finding.code in _NAMED_REASONS:
        values["reason"] = t(str(values.get("reason", "")), **values)
    if finding.ending is not None:
        values["how"] = how_it_ended(finding.ending) or t("check-hung-up")
    return t(finding.code, **values)


def _sum_up(report: Report, clock: float) -> None:
    if report.seconds:
        shown = {
            name: f"{1000 * report.percentile(share):.1f}"
            for name, share in (("median", 0.5), ("most", 0.99), ("slowest", 1.0))
        }
        click.echo(t("check-latency", **shown, clock=f"{clock:g}"))
    if report.name:
        name = clean_text(f"{report.name} {report.version}".strip(), 130)
        click.echo(t("check-of", name=name, command=clean_text(report.command, 200)))
    bad = sum(not trial.well for trial in report.trials)
    click.echo(t("check-fit") if report.fit else tn("check-unfit", bad), err=not report.fit)


def to_json(report: Report, clock: float) -> dict[str, object]:
    """The report for programs (docs/bots.md)."""
    return {
        "command": report.command,
        "name": clean_text(report.name, 64),
        "version": clean_text(report.version, 64),
        "author": clean_text(report.author, 64),
        "fit": report.fit,
        "trials": [
            {
                "trial": trial.name,
                "game": trial.game or None,
                "questions": trial.count,
                "skipped": trial.skipped,
                "faults": trial.counts,
                "findings": [_finding_json(trial, finding) for finding in trial.findings],
            }
            for trial in report.trials
        ],
        "answers": {
            "count": len(report.seconds),
            "clock": clock,
            **{
                name: round(report.percentile(share), 6)
                for name, share in (("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("slowest", 1.0))
            },
        },
    }


def _finding_json(trial: Trial, finding: Finding) -> dict[str, object]:
    code, section = trial.mend(finding.code)
    return {
        "code": finding.code,
        "sentence": sentence(finding),
        "mend": t(code),
        "section": f"{GUIDE}#{section}",
        "stderr": [] if finding.ending is None else [clean_text(line, SHOWN) for line in finding.ending.words],
        "sent": finding.sent,
        "came": clean_text(finding.came, SHOWN),
    }
