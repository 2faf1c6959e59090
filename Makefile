# Everything lives in .venv: nothing is installed outside this folder.
# `make play` and `make test` set it up by themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help play test lint format bench docs lock clean

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

play: $(VENV)/.play ## play: a person against bots
	$(BIN)/hansa play

test: $(VENV)/.dev ## run the whole test suite
	$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

lint: $(VENV)/.dev ## style, types and direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev ## let ruff put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.play ## speed of the engine on this machine
	$(BIN)/hansa bench

docs: $(VENV)/.dev ## build the documentation into docs/_build
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

lock: $(VENV)/.dev ## pin the newest allowed versions into requirements/
	$(PIP) install --quiet uv
	sh requirements/lock.sh $(BIN)/uv

clean: ## remove the virtual environment and what was built
	rm -rf $(VENV) build dist docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Hansa needs Python 3.11 or newer as '$(PYTHON)'. On Debian: apt-get install python3 python3-venv"; \
	  echo "Another interpreter: make PYTHON=/path/to/python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python cannot make a virtual environment here. On Debian: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.play: requirements/play.txt pyproject.toml | $(BIN)/python
	$(PIP) install --quiet -r requirements/play.txt
	$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(BIN)/python
	$(PIP) install --quiet -r requirements/dev.txt
	$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@ $(VENV)/.play
