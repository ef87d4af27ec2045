"""What every test shares: the same examples on every run, and a language that no test leaves behind."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Hypothesis draws the same examples each time, so a red run is red for everybody. `MAJLIS_EXPLORE=1` looks for new
# ones. No deadlines: the machines that run this are shared, and a slow moment is not a bug.
settings.register_profile(
    "majlis",
    derandomize=not os.environ.get("MAJLIS_EXPLORE"),
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("majlis")

# What tests host is not announced on the network around the machine; tests of the beacon choose a port of their own.
os.environ["MAJLIS_LAN"] = "off"

SEED = int(os.environ.get("MAJLIS_TEST_SEED", "1"))


def pytest_report_header() -> str:
    examples = "new" if os.environ.get("MAJLIS_EXPLORE") else "the same every time"
    return f"seed: {SEED} (MAJLIS_TEST_SEED), examples of Hypothesis: {examples} (MAJLIS_EXPLORE)"


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    if call.excinfo is not None and "rng" in getattr(item, "fixturenames", ()):
        item.add_report_section(call.when, "seed", f"MAJLIS_TEST_SEED={SEED}")


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Random choices of one test, the same on every run; a failure prints the seed."""
    return random.Random(f"{SEED} {request.node.nodeid}")


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    yield
    if language := sys.modules.get("p2p.language"):
        language.set_language("en")
        language.set_digits(False)
