# Everything from a fresh clone with nothing but Python 3.11+ and make. uv is used when it is there, pip otherwise.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

ifeq ($(UV),)
INSTALL = $(BIN)/python -m pip install --quiet
else
INSTALL = VIRTUAL_ENV=$(VENV) uv pip install --quiet
endif

# The tests that reach every kernel: cards, bets, deals, the loop, agents, beliefs, trees, networks, counting, solving.
BOUNDS := tests/runtime/test_bounds.py tests/believe tests/play/test_loop.py tests/play/test_grid_pursuit.py tests/observe/test_retell.py tests/observe/test_statistics.py \
  $(addprefix tests/rules/test_,betting.py canonical.py deal.py equity.py evaluator.py grid_paths.py potential.py strength.py texture.py) \
  $(addprefix tests/respond/test_,agents.py ashe.py chromosome.py network.py network_player.py) \
  $(addprefix tests/measure/test_,action_frequency.py adaptation.py insight.py watched.py) \
  tests/solve/test_policy.py tests/train/test_gene_duels.py tests/studies/test_free_folds.py

# The processes are the parallelism; threads of the linear algebra beside them would only wait for each other.
ALONE := OPENBLAS_NUM_THREADS=1

# A test that takes its process with it ends the run and is named; by default pytest-xdist goes on and may wait for ever.
CRASH := --max-worker-restart 0

.PHONY: demo test browser bounds lint types check bench format clean help

help:  ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/'

$(VENV)/bin/python:
	$(if $(UV),uv venv --quiet --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV))

$(VENV)/.run: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	$(INSTALL) --constraint constraints.txt --editable '.[dev]'
	@touch $@

$(VENV)/.bench: $(VENV)/.run
	$(INSTALL) --constraint constraints.txt --editable '.[bench]'
	@touch $@

demo: $(VENV)/.run  ## ASHE meets ten strangers, live, with a picture
	@$(BIN)/nemesis demo

test: $(VENV)/.dev browser  ## the whole test suite
	$(ALONE) $(BIN)/python -m pytest -n auto --dist loadfile $(CRASH)

browser:  ## Chromium, in which the tests of the lab run; installs Debian's if there is none
	@tests/lab/install-browser

bounds: $(VENV)/.dev  ## the tests of the kernels, every array index checked; nearly all of it is compiling, so little is optimised
	$(ALONE) NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 $(BIN)/python -m pytest -n 2 --dist loadfile $(CRASH) $(BOUNDS)

lint: $(VENV)/.dev  ## style and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.dev  ## mypy, strict
	$(BIN)/mypy

check: lint types test bounds  ## what CI runs

bench: $(VENV)/.bench browser  ## ours and other libraries in one run; writes docs/benchmarks.md
	$(BIN)/python -m benchmarks

format: $(VENV)/.dev  ## rewrite the sources in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## forget the virtual environment and everything made by tools
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
