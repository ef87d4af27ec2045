# Everything a checkout needs. `make demo` on a fresh clone is enough: each target sets up by itself first.

PYTHON ?= $(firstword $(foreach p,python3.14 python3.13 python3.12 python3.11 python3,\
	$(shell command -v $(p) >/dev/null 2>&1 && $(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(p))))
BIN := .venv/bin
STAMP := .venv/.majlis-setup
FAST := .fast
HOT := $(patsubst %,bots/search/%.py,deals discards guesses plays points policies samples solve tricks trix worlds)
CODE := $(wildcard engine protocol bots p2p tests bench tools examples)

.DEFAULT_GOAL := help
.PHONY: help setup demo play test test-long check lint types contracts catalogue vectors bench fast clean

help:
	@echo "make demo        watch separate programs play all four games, every move proved"
	@echo "make play        sit down at a table of Kasra with three bots"
	@echo "make test        all checks and tests of ten minutes; make test-long runs the others"
	@echo "make bench       how long the cryptography and the bots take on this machine"
	@echo "make fast        the bots' search compiled; wants a C compiler"
	@echo "make setup       only prepare .venv"

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Majlis needs Python 3.11 or newer, and none was found here. Install it, or name it: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || { rm -rf .venv; echo "This Python cannot make a virtual environment. On Debian or Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Setting up .venv; the first time takes a minute."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt hatchling
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	@touch $@

demo: setup
	@$(BIN)/majlis demo

play: setup
	@$(BIN)/majlis host kasra --bots 3

check: lint types contracts

test: check
	$(BIN)/python -m pytest -n 2 -m "not long"

test-long: check
	$(BIN)/python -m pytest -n 2 -m long || test $$? -eq 5  # 5: there are none yet

lint: setup
	$(BIN)/ruff check $(CODE)

types: setup
	$(BIN)/mypy

contracts: setup
	$(BIN)/lint-imports

# Both languages say the same things in the same order, and every sentence that the code asks for exists.
catalogue: setup
	$(BIN)/python -m pytest tests/unit/language

# Writes tests/vectors/ anew from seeds; `git diff` must then be empty unless the protocol changed.
vectors: setup
	$(BIN)/python -m tools.vectors

bench: setup
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --no-build-isolation --only-binary open_spiel --editable '.[bench]' 2>/dev/null || true  # no ratios where it has no wheel
	$(BIN)/python -m bench
	@test ! -d $(FAST) || { echo; echo "the same compiled (make fast)"; PYTHONSAFEPATH=1 PYTHONPATH=$(FAST) $(BIN)/python -m bench core deciding; }

# A copy of the programs with the innermost of the bots' search compiled: $(FAST)/majlis plays the same games, sooner.
fast: setup
	@command -v $${CC:-cc} >/dev/null || { echo "A C compiler is needed, and Python's headers. On Debian or Ubuntu: apt install gcc python3-dev" >&2; exit 1; }
	@rm -rf $(FAST) && mkdir -p $(FAST) && cp -R engine protocol bots p2p bench $(FAST)
	@cd $(FAST) && $(abspath $(BIN))/python -m mypyc --ignore-missing-imports $(HOT) >build.txt 2>&1 || { cat build.txt; echo "It could not be compiled. Are the headers of Python there? On Debian or Ubuntu: apt install python3-dev"; exit 1; } >&2
	@printf '#!/bin/sh\nPYTHONSAFEPATH=1 PYTHONPATH="%s" exec "%s" -m p2p.cli "$$@"\n' "$(abspath $(FAST))" "$(abspath $(BIN))/python" >$(FAST)/majlis
	@chmod +x $(FAST)/majlis
	@echo "Compiled. Instead of majlis: $(FAST)/majlis"

clean:
	rm -rf .fast .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
