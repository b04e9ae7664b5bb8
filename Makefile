# Needs a Rust toolchain, Python 3.10 or later and a C compiler.
PYTHON ?= python3
CARGO ?= cargo

VENV := .venv
BIN := $(VENV)/bin
TOOLS := $(VENV)/.tools
SITE := $(VENV)/.site
# As pyproject.toml has it, for the build backend.
MATURIN := $(shell sed -n 's/^requires = \["\(.*\)"\]/\1/p' pyproject.toml)
NATIVE := python/secateur/_native.abi3.so
SOURCES := $(shell find src -name '*.rs') Cargo.toml Cargo.lock pyproject.toml
WHEELS := target/wheels
# A target without a dictionary of its own speaks the protocol.
DICTIONARY = $(firstword $(wildcard fuzz/dictionaries/$(TARGET).dict) fuzz/dictionaries/protocol.dict)
TARGET ?= dialogue
SECONDS ?= 3600
# Options of maturin for the extension module that the tests use: --release for the build of the wheel.
NATIVE_OPTIONS ?=

# The virtual environment does not depend on its surroundings.
unexport PYTHONPATH PYTHONHOME CONDA_PREFIX
export PIP_USER := 0
export PIP_REQUIRE_VIRTUALENV := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_QUIET := 1
export VIRTUAL_ENV := $(abspath $(VENV))

.DEFAULT_GOAL := help
.PHONY: help test test-rust test-python native lint signature miri wheel fuzz fuzz-pack site notebooks clean
.DELETE_ON_ERROR:

help: ## Show the targets.
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

test: test-rust test-python ## Run all tests, Rust and Python, in a virtual environment of their own.

test-rust:
	$(CARGO) test --locked

test-python: $(NATIVE)
	$(BIN)/pytest

native: $(NATIVE) ## Build the extension module and install it in the virtual environment.

lint: $(NATIVE) $(SITE) ## Check format, lints, documentation, stubs and types; warnings are errors.
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CARGO) clippy --locked --no-default-features --features python --lib -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps
	$(BIN)/python -m mypy.stubtest secateur
	$(BIN)/mypy
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell
	$(BIN)/python tests/words.py
	$(MAKE) site

site: $(NATIVE) $(SITE) ## Build the documentation into target/site; a broken link is an error.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

notebooks: $(NATIVE) ## Execute the notebooks in examples/ in place.
	$(BIN)/python examples/execute.py

signature: ## Compare the node count of `secateur bench` with the last commit that says `Bench: N`.
	@recorded=$$(git log -1 --extended-regexp --grep='^Bench: [0-9]+$$' --format=%B | sed -n 's/^Bench: //p'); \
	counted=$$($(CARGO) run --locked --quiet -- bench | sed -n '$$s/ nodes .*//p'); \
	echo "bench: $$counted nodes, the last recorded count is $$recorded"; \
	test -z "$$recorded" || test "$$counted" = "$$recorded"

miri: ## Run the tests of the table and its memory under Miri (rustup component add miri --toolchain nightly).
	$(CARGO) +nightly miri test --locked --no-default-features --lib -- search::memory search::table

wheel: $(TOOLS) ## Build the wheel for release, and try it in an environment that has nothing else.
	rm -rf $(WHEELS)
	$(BIN)/maturin build --release --locked --compression-level 9 --out $(WHEELS)
	$(PYTHON) -m venv --clear $(WHEELS)/try
	$(WHEELS)/try/bin/pip install --no-index $(WHEELS)/secateur-*-abi3-*.whl
	cd $(WHEELS) && try/bin/python -c 'import secateur; print(secateur.Engine().analyse(secateur.Position(), depth=12))'

fuzz: ## Fuzz TARGET for SECONDS (3600); needs cargo-fuzz and a nightly toolchain, docs/fuzzing.md.
	$(PYTHON) fuzz/inputs.py unpack $(TARGET)
	$(CARGO) +nightly fuzz run --sanitizer none $(TARGET) -- -dict=$(DICTIONARY) -max_total_time=$(SECONDS) \
		-max_len=2048 -len_control=20 -timeout=20 -rss_limit_mb=4096

fuzz-pack: ## Keep the fewest inputs of TARGET that reach every branch, in fuzz/inputs.
	$(CARGO) +nightly fuzz cmin --sanitizer none $(TARGET) -- -use_counters=0 -max_len=2048
	$(PYTHON) fuzz/inputs.py pack $(TARGET)

clean: ## Remove everything that was built.
	$(CARGO) clean
	rm -rf $(VENV) $(NATIVE) dist .pytest_cache .mypy_cache .ruff_cache
	find python tests -name __pycache__ -prune -exec rm -rf {} +

$(TOOLS): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "Python 3.10 or later is needed; make PYTHON=... names one" >&2; exit 1; }
	$(BIN)/python -m pip --version 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install '$(MATURIN)'
	touch $@

# The extra `docs` of what is installed.
$(SITE): $(NATIVE)
	$(BIN)/python -m pip install 'secateur[docs]'
	touch $@

# The other tools are those of the extra `test` in pyproject.toml.
$(NATIVE): $(TOOLS) $(SOURCES)
	$(BIN)/maturin develop --locked --extras test $(NATIVE_OPTIONS)
	touch $@
