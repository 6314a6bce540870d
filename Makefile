# What a newcomer and a contributor run. `make demo` and `make test` set themselves up:
# they need Python 3.11 or newer, make and a network, once. CONTRIBUTING.md explains.

VENV := .venv
export OPENBLAS_NUM_THREADS := 1
# Bytecode is kept, or every command that a test starts compiles the library anew.
unexport PYTHONDONTWRITEBYTECODE
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check

# Debian packages that some tests and commands use when they are there: a browser for
# replays; compilers and emulators for exported equations.
PACKAGES := chromium fonts-dejavu-core gcc libc6-dev \
	gcc-avr avr-libc simavr libsimavr-dev \
	gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm

# The first Python that is new enough and can make environments. Each candidate is
# really started, because a name on the PATH may be a stub.
CANDIDATES := python3.11 python3.12 python3.13 python3.14 python3
PYTHON ?= $(shell for p in $(CANDIDATES); do \
	if $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	>/dev/null 2>&1; then echo $$p; break; fi; done)

.PHONY: help setup toolchains demo test test-lowest test-processors wheel mutants digests lint types staged check fast \
	papers bench docs site lock clean
.NOTPARALLEL:
.DELETE_ON_ERROR:

help:
	@echo "make demo        balance a 20-module robot and show it (out/demo/index.html)"
	@echo "make test        all tests but the nightly ones"
	@echo "make test-lowest the same with the lowest versions of all packages"
	@echo "make test-processors  the same as other processors round, in random order"
	@echo "make mutants     planted bugs, one at a time: do the tests notice? DRAW=300"
	@echo "                 SEED=7 draws them at random and gives the share caught"
	@echo "make digests AGAINST=COMMIT  does that commit, or checkout, give the same bits?"
	@echo "make setup       everything a contributor needs, in $(VENV), and the commit hook"
	@echo "make check       format, lint, types, house rules, tests of the lowest rooms"
	@echo "make fast        all tests that neither simulate nor start programs"
	@echo "make lint, make types  the first of these alone"
	@echo "make papers      every claim of every reproduced work, and a summary; exit 1"
	@echo "                 where one is missed"
	@echo "make bench       speed, as JSON in out/bench; SAVE=NAME one that pages refer to"
	@echo "make docs        links, references, commands and Python of the documentation"
	@echo "make site        the documentation as a site, in out/site; opens from disk"
	@echo "make wheel       sdist and wheel in dist, tried in a fresh environment"
	@echo "make toolchains  system packages that some tests use (Debian, as root)"
	@echo "make lock        write requirements/*.txt anew"
	@echo "make clean       remove caches, out and dist; $(VENV) stays"

# --- set-up ---------------------------------------------------------------------

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then \
	echo "equipoise needs Python 3.11 or newer with its venv module; install it" \
	"(Debian or Ubuntu: apt-get install python3 python3-venv) or name one with" \
	"make PYTHON=/path/to/python3." >&2; exit 1; fi
	@echo "Making $(VENV) with $$($(PYTHON) --version)."
	@$(PYTHON) -m venv --clear $(VENV)

# Two stamps: demo (the library and its viewer) and dev (everything). A stamp that is
# newer than its lock means there is nothing to do.
INSTALL = $(PIP) --require-hashes -r requirements/$(1).txt \
	&& $(PIP) --no-deps --no-build-isolation -e . \
	|| { echo "Installing failed; the reason is above (is there a network?)." >&2; \
	exit 1; }

$(VENV)/.demo: requirements/demo.txt pyproject.toml $(BIN)/python
	@echo "Installing equipoise and what it needs (once, a minute or two)."
	@$(call INSTALL,demo)
	@touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml $(BIN)/python
	@echo "Installing equipoise and its development tools (once, some minutes)."
	@$(call INSTALL,dev)
	@touch $(VENV)/.demo $@

setup: $(VENV)/.dev
	@sh tools/install_hook.sh
	@echo "Ready: $(BIN)/equipoise --help"

toolchains:
	@sh tools/toolchains.sh $(PACKAGES)

lock:
	@sh tools/lock.sh "$(PYTHON)"

# --- what people run -------------------------------------------------------------

demo: $(VENV)/.demo
	@$(BIN)/equipoise balance --compare --seed 8 --out out/demo --gif

# A file's tests stay in one process, so that both do not compile the same kernels. Files
# run in the order of their names: by their number of tests, as is usual, the longest test
# comes last and the other processor has nothing left to do.
TESTED := -q -n 2 --dist loadfile --no-loadscope-reorder
test: $(VENV)/.dev
	@$(BIN)/python -m pytest $(TESTED)

# The lowest versions of everything, in an environment of their own. NumPy 2.0 is for
# Python 3.11 and 3.12. TESTS=tests/stability for a part.
LOWEST := .venv-lowest
$(LOWEST)/.done: requirements/lowest.txt pyproject.toml
	@p=$$(for p in python3.11 python3.12; do \
	if $$p -c 'import venv, ensurepip' >/dev/null 2>&1; then echo $$p; break; fi; done); \
	if [ -z "$$p" ]; then echo "The lowest versions need Python 3.11 or 3.12." >&2; \
	exit 1; fi; echo "Making $(LOWEST) with the lowest versions (once)."; \
	$$p -m venv --clear $(LOWEST)
	@$(LOWEST)/bin/python -m pip install -q --disable-pip-version-check \
	--require-hashes -r requirements/lowest.txt
	@$(LOWEST)/bin/python -m pip install -q --disable-pip-version-check \
	--no-deps --no-build-isolation -e .
	@touch $@

test-lowest: $(LOWEST)/.done
	@$(LOWEST)/bin/python -m pytest $(TESTED) $(TESTS)

# TESTS=tests/stability for a part, SEED=1 to repeat an order.
test-processors: $(VENV)/.dev
	@sh tools/other_processors.sh $(BIN)/python $(TESTS)

# DRAW=300 SEED=7 for bugs drawn at random in place of the listed ones, FILES=stability/
# for a part of either.
mutants: $(VENV)/.dev
	@$(BIN)/python tools/mutants.py $(FILES) \
	$(if $(DRAW),--draw $(DRAW) --seed $(or $(SEED),0) $(if $(WORKERS),--workers $(WORKERS)))

# ONLY=walk,balance/upright for some of the runs.
digests: $(VENV)/.dev
	@test -n "$(AGAINST)" || { echo "Say what to compare with:" \
	"make digests AGAINST=COMMIT_OR_CHECKOUT [ONLY=walk]." >&2; exit 2; }
	@$(BIN)/python tools/digests.py against "$(AGAINST)" --only "$(ONLY)"

lint: $(VENV)/.dev
	@$(BIN)/ruff format --check -q .
	@$(BIN)/ruff check -q .

types: $(VENV)/.dev
	@$(BIN)/pyright
	@$(BIN)/pyright -p pyrightconfig.strict.json

# What the commit hook runs, on the files that are about to be committed.
staged: $(VENV)/.dev
	@sh tools/check_staged.sh $(BIN)

# Both type checks at once take one's time; the tests are of the rooms that all others
# stand on and compile little. FAST are all tests that neither simulate nor start programs.
CHECKED := tests/architecture tests/core tests/spatial tests/modules
FAST := "not paper and not slow and not sim"
check: lint
	@$(BIN)/pyright & plain=$$!; $(BIN)/pyright -p pyrightconfig.strict.json & strict=$$!; \
	wait $$plain && wait $$strict
	@$(BIN)/python -m pytest $(TESTED) -m $(FAST) $(CHECKED)

fast: $(VENV)/.dev
	@$(BIN)/python -m pytest $(TESTED) -m $(FAST) $(or $(TESTS),tests)

papers: $(VENV)/.demo
	@$(BIN)/python tools/papers.py

bench: $(VENV)/.dev
	@$(BIN)/python tools/bench.py $(if $(SAVE),--save $(SAVE))

# EXAMPLES=no for the pages alone, in seconds; LONG=yes runs what takes minutes as well.
docs: $(VENV)/.dev
	@$(BIN)/python tools/check_docs.py $(if $(filter no,$(EXAMPLES)),--pages) \
	$(if $(filter yes,$(LONG)),--long)

site: $(VENV)/.dev
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q --strict
	@echo "out/site/index.html"

wheel: $(VENV)/.dev
	@$(BIN)/python tools/try_wheel.py

clean:
	@rm -rf out build dist .pytest_cache .ruff_cache .hypothesis
	@find src tests benchmarks examples tools -name __pycache__ -type d -prune \
	-exec rm -rf {} + 2>/dev/null || true
