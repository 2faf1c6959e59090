# Everything lives in .venv: nothing is installed outside this folder.
# `make play` and `make test` set it up by themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Tests wait a third of the time, for servers, browsers and clocks: more of them than cores.
WORKERS ?= $(shell n=$$(nproc 2>/dev/null) && expr $$n \* 3 / 2 || echo auto)
GAMES ?= 200
SEED ?= 1
SAMPLE ?= 60
HOURS ?= 8
COVERED_RULES := 97
COVERED_GAME := 94
COVERED_SERVER := 94

# The page: built from web/ into the package. Node comes from the machine or, where there is none that
# is new enough, from a package in .venv, which stands first on the path.
PAGE := src/hansa/server/static/index.html
PAGE_SOURCES := $(shell find web/src web/public web/index.html web/*.ts web/*.js docs/rules*.md docs/how-to-play*.md src/hansa/art -type f 2>/dev/null | grep -v pyc)
# Pictures and tables of "How to play", drawn and counted by the library.
BOOK := web/book/shared.json
BOOK_SOURCES := $(shell find docs/book.yaml docs/how-to-play*.md docs/rules*.md docs/_ext web/src/i18n src/hansa/art src/hansa/boards src/hansa/svg src/hansa/rules -type f 2>/dev/null | grep -v pyc)
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web

.DEFAULT_GOAL := help
.PHONY: help play test test-long coverage conformance lint format generate mutants fuzz bench soak docs lock page screenshots release clean

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

play: $(VENV)/.play $(PAGE) ## play: the table in the browser, against bots or friends
	$(BIN)/hansa play

# What the tests need of the machine is asked for first: nobody waits ten minutes to be told.
.PHONY: test-needs
test-needs:
	@missing=""; \
	  command -v pg_ctl >/dev/null || ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1 || missing="$$missing postgresql"; \
	  [ -n "$$HANSA_CHROMIUM" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	    || command -v google-chrome >/dev/null || missing="$$missing chromium"; \
	  [ -z "$$missing" ] || { echo "make test needs:$$missing. On Debian: sudo apt-get install -y$$missing"; exit 1; }

# The rules are compiled once before the tests, not by every worker at the same time.
.PHONY: compiled
compiled: $(VENV)/.dev
	@$(BIN)/python -c 'from hansa import compiled; compiled.is_available() and compiled.warm_up(print)'
	@$(BIN)/python -c 'from hansa.envs import preparing; preparing.prepare(print)'
	@$(BIN)/python -m hansa.bots

test: test-needs test-page test-python ## run the whole test suite (needs PostgreSQL and Chromium)

.PHONY: test-page test-python
test-page: web/node_modules/.package-lock.json $(BOOK)
	$(NPM) run --silent test

test-python: test-needs compiled $(PAGE)
	$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

# The least that the whole suite must cover, lines and branches; `coverage html` shows what is missing.
coverage: test-needs compiled $(PAGE) ## run the suite measured: the least coverage of rules, game and server
	$(BIN)/python -m pytest -n $(WORKERS) --cov --cov-report=
	$(BIN)/coverage report --include='*/hansa/rules/*' --fail-under=$(COVERED_RULES)
	$(BIN)/coverage report --include='*/hansa/game.py' --fail-under=$(COVERED_GAME)
	$(BIN)/coverage report --include='*/hansa/server/*' --fail-under=$(COVERED_SERVER)

test-long: test-needs compiled $(PAGE) ## the variations that would make `make test` too long
	$(BIN)/python -m pytest -n $(WORKERS) -m long $(ARGS)

conformance: compiled ## PettingZoo's, Gymnasium's and OpenSpiel's own checks, for every set-up
	$(BIN)/python -m pytest tests/envs/conformance.py $(ARGS)

lint: lint-python lint-page ## style, types and direction of imports, of the page too

.PHONY: lint-python lint-page
lint-python: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

lint-page: web/node_modules/.package-lock.json
	$(NPM) run --silent lint
	$(NPM) run --silent check

generate: $(VENV)/.dev ## write the text that declarations generate (a test fails when it is not current)
	$(BIN)/python scripts/generate.py
	$(BIN)/python -m hansa.server.wire

format: $(VENV)/.dev web/node_modules/.package-lock.json ## let ruff and Prettier put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(NPM) run --silent format

mutants: $(VENV)/.dev ## mutation testing of rules and judgement: SAMPLE=60 changes that tests should notice
	@[ -x $(VENV)/mutants/bin/python ] || $(PYTHON) -m venv $(VENV)/mutants
	$(VENV)/mutants/bin/python -m pip --disable-pip-version-check install --quiet -r requirements/mutants.txt
	$(VENV)/mutants/bin/python scripts/mutants.py --sample $(SAMPLE) --seed $(SEED) $(ARGS)

fuzz: $(VENV)/.dev ## play GAMES=200 games of all set-ups, looking for broken promises
	$(BIN)/python -m tests.fuzz --games $(GAMES) --seed $(SEED)
	$(BIN)/python -m tests.oracle.run --games $(GAMES) --seed $(SEED)

bench: $(VENV)/.play ## speed of the engine on this machine
	$(BIN)/hansa bench

soak: $(VENV)/.dev $(PAGE) ## a server under load for HOURS=8, memory and latency drawn into soak/
	$(BIN)/python benchmarks/soak.py --hours $(HOURS) --out soak

docs: $(VENV)/.dev ## build the documentation into docs/_build
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

lock: $(VENV)/.dev ## pin the newest allowed versions into requirements/
	$(PIP) install --quiet uv
	sh requirements/lock.sh $(BIN)/uv

page: $(PAGE) ## build the page into the package

screenshots: $(VENV)/.dev $(PAGE) ## every screen of the page, into web/shots (not committed)
	$(NPM) run --silent screenshots

release: $(VENV)/.dev ## build dist/ with the page, install it into an empty environment, play there
	$(BIN)/python -m tests.release

clean: ## remove the virtual environment and what was built
	rm -rf $(VENV) web/node_modules web/book src/hansa/server/static build dist docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis

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

$(VENV)/.node: requirements/node.txt | $(BIN)/python
	@{ node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' \
	   && [ "$$(npm --version | cut -d. -f1)" -ge 11 ]; } 2>/dev/null \
	  || $(PIP) install --quiet -r requirements/node.txt
	@touch $@

# `npm install --no-save` keeps to the lock, but takes platform packages that were not published for
# every platform when the lock was made, where `npm ci` would refuse.
web/node_modules/.package-lock.json: web/package.json web/package-lock.json $(VENV)/.node
	$(NPM) install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

$(BOOK): $(VENV)/.play $(BOOK_SOURCES)
	$(BIN)/python docs/_ext/page_book.py web/book

$(PAGE): web/node_modules/.package-lock.json $(BOOK) $(PAGE_SOURCES)
	$(NPM) run --silent build
	@touch $@
