# Needs a Rust toolchain, Python 3.10 or later and a C compiler.
PYTHON ?= python3
CARGO ?= cargo

VENV := .venv
BIN := $(VENV)/bin
TOOLS := $(VENV)/.tools
SITE := $(VENV)/.site
NOTEBOOK := $(VENV)/.notebook
# As pyproject.toml has it, for the build backend.
MATURIN := $(shell sed -n 's/^requires = \["\(.*\)"\]/\1/p' pyproject.toml)
NATIVE := python/secateurs/_native.abi3.so
SOURCES := $(shell find src tools/src python/src -name '*.rs') $(wildcard Cargo.* */Cargo.toml web/ts/*.js web/ts/*.css) \
	web/page/board.css pyproject.toml
WHEELS := target/wheels
# The files of a release.
DIST := target/dist
VERSION := $(shell sed -n '0,/^version = /s/^version = "\(.*\)"/\1/p' Cargo.toml)
CPUS := x86_64 aarch64
# zig links for old versions of glibc and for other processors.
ZIG := ziglang>=0.13,<1
WHEEL := wheel>=0.45,<1
MANYLINUX = PATH="$(abspath $(BIN)):$$PATH" $(BIN)/maturin build --release --locked --zig --compatibility manylinux2014 \
	--compression-level 9
# The build for processors of the level x86-64-v3.
V3 := target/v3
# Programs that are linked statically need no C compiler.
export CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER := rust-lld
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER := rust-lld
HOST := $(shell uname -m)-unknown-linux-musl
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
# The time of the last commit, for archives that are the same however often they are built.
COMMITTED = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct))
# The page for browsers and the package for Node.
WEB := target/web
WASM := wasm32-unknown-unknown
# Code for size, with functions inlined up to a size of 40 in LLVM's count (docs/performance.md).
WASM_FLAGS := -C llvm-args=-inline-threshold=40
BUILD_WASM = CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$(WASM_FLAGS) $(1)" \
	$(CARGO) build --locked --package secateurs-web --target $(WASM) --profile browser --no-default-features --features
# `make web THREADS=1` builds the modules a second time, for threads that share memory: with a std of their own, and with what
# wasm-bindgen needs to give each thread its stack (docs/decisions/0021). 4 GiB is all that 32 bits address.
THREADS :=
SHARED_MEMORY := --shared-memory --max-memory=4294967296 --import-memory \
	$(addprefix --export=,__wasm_init_tls __tls_size __tls_align __tls_base __heap_base)
SHARED := -C target-feature=+simd128,+atomics,+bulk-memory,+mutable-globals $(addprefix -C link-arg=,$(SHARED_MEMORY))
SHARED_DIR := target/threads
# OpenBench builds an engine by `make EXE=NAME`, for the machine on which it is built.
EXE :=
# A target without a dictionary of its own speaks the protocol.
DICTIONARY = $(firstword $(wildcard fuzz/dictionaries/$(TARGET).dict) fuzz/dictionaries/protocol.dict)
TARGET ?= dialogue
SECONDS ?= 3600
# Options of maturin for the wheel.
WHEEL_OPTIONS ?= --release

# The virtual environment does not depend on its surroundings.
unexport PYTHONPATH PYTHONHOME CONDA_PREFIX
export PIP_USER := 0
export PIP_REQUIRE_VIRTUALENV := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_QUIET := 1
export VIRTUAL_ENV := $(abspath $(VENV))

.DEFAULT_GOAL := $(if $(EXE),engine,help)
.PHONY: help web web-threads test-web test test-rust test-python native lint lint-rust lint-python signature miri wheel fuzz fuzz-pack site notebooks clean \
	engine targets wheels sdist static man release package try-static
.DELETE_ON_ERROR:

help: ## Show the targets.
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

test: test-rust test-python ## Run all tests, Rust and Python, in a virtual environment of their own.

test-rust:
	$(CARGO) test --locked --workspace

# Three at a time: many tests wait for a process or a clock.
test-python: $(NATIVE)
	$(BIN)/pytest --numprocesses 3 --dist worksteal

native: $(NATIVE) ## Build the extension module and install it in the virtual environment.

lint: lint-rust lint-python ## Check format, lints, documentation, stubs and types; warnings are errors.

lint-rust:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --no-deps

lint-python: $(NATIVE) $(SITE)
	$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml --allowlist tests/stubtest.txt --ignore-unused-allowlist secateurs
	$(BIN)/mypy
	$(BIN)/mypy web/tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell
	$(BIN)/python tests/words.py
	$(MAKE) site

site: $(NATIVE) $(SITE) ## Build the documentation into target/site; a broken link is an error.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

notebooks: $(NATIVE) ## Execute the notebooks in examples/ in place.
	$(BIN)/python examples/execute.py

# Chromium opens the page; its tests are in Python, those of the package in Node, and so is that in Firefox, which is skipped
# without Firefox.
test-web: web $(NATIVE) $(NOTEBOOK) ## Test the page for browsers in Chromium, with its board in notebooks, and the package in Node.
	node --test web/tests/
	$(BIN)/pytest --numprocesses 2 web/tests

# Kalah, which a visitor sees first, is a module of its own; the other one has all games, for the line protocol.
web: ## Build the page for browsers, and the package for Node: target/web (THREADS=1: with threads). Needs rustup, Node and npm.
	rustup --quiet target add $(WASM)
	set -e; for games in kalah kalah,text,others; do \
		$(call BUILD_WASM,-C target-feature=+simd128) $$games; \
		cp $(TARGET_DIR)/$(WASM)/browser/secateurs_web.wasm $(TARGET_DIR)/$(WASM)/$${games##*,}.wasm; \
	done
	set -e; for module in kalah others; do \
		$(CARGO) run --locked --quiet --package secateurs-bindgen -- \
			$(TARGET_DIR)/$(WASM)/$$module.wasm $(WEB)/wasm $$module; \
	done
	rm -rf $(WEB)/wasm/threads
	$(if $(THREADS),$(MAKE) web-threads)
	cp web/package.json web/page/* docs/favicon.svg $(wildcard src/games/*/*.net) $(WEB)
	npm ci --prefix web --no-audit --no-fund
	web/node_modules/.bin/tsc --project web
	node web/catalogue.mjs $(WEB)

# std is compiled with features that the stable compiler has, but does not promise to keep.
web-threads:
	rustup --quiet component add rust-src
	set -e; for games in kalah others; do \
		RUSTC_BOOTSTRAP=1 $(call BUILD_WASM,$(SHARED)) $$games -Z build-std=std,panic_abort --target-dir $(SHARED_DIR); \
		$(CARGO) run --locked --quiet --package secateurs-bindgen -- \
			$(SHARED_DIR)/$(WASM)/browser/secateurs_web.wasm $(WEB)/wasm/threads $$games; \
	done

signature: ## Compare the node count of `secateurs bench` with the last commit that says `Bench: N`.
	@recorded=$$(git log -1 --extended-regexp --grep='^Bench: [0-9]+$$' --format=%B | sed -n 's/^Bench: //p'); \
	counted=$$($(CARGO) run --locked --quiet -- bench | sed -n '$$s/ nodes .*//p'); \
	echo "bench: $$counted nodes, the last recorded count is $$recorded"; \
	test -z "$$recorded" || test "$$counted" = "$$recorded"

miri: ## Run the tests of the code with unsafe blocks under Miri (rustup component add miri --toolchain nightly).
	$(CARGO) +nightly miri test --locked --lib -- search::memory search::table util::lent

wheel: $(TOOLS) ## Build the wheel, and try it in an environment that has nothing else.
	rm -rf $(WHEELS)
	$(BIN)/maturin build --locked --compression-level 9 --out $(WHEELS) $(WHEEL_OPTIONS)
	$(PYTHON) -m venv --clear $(WHEELS)/try
	$(WHEELS)/try/bin/pip install --no-index $(WHEELS)/secateurs-*-abi3-*.whl
	cd $(WHEELS) && try/bin/python -c 'import secateurs; print(secateurs.Engine().analyse(secateurs.Position(), depth=12))'

engine: ## Build the engine for this machine, as the file EXE: make EXE=secateurs.
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native" $(CARGO) build --release --locked --bin secateurs --target-dir target/engine
	cp target/engine/release/secateurs $(or $(EXE),secateurs)

release: wheels sdist static ## Build all files of a release into target/dist.
	cd $(DIST) && sha256sum *.whl *.tar.gz > SHA256SUMS

targets: ## Install the libraries of Rust for the other targets of a release.
	rustup target add $(foreach cpu,$(CPUS),$(cpu)-unknown-linux-gnu $(cpu)-unknown-linux-musl)

# The wheel for x86-64 has the extension module twice: python/secateurs/_cpu.py selects one.
wheels: $(TOOLS) ## Build the wheels for Linux with glibc 2.17 or later, on x86-64 and ARM.
	$(BIN)/python -m pip install '$(ZIG)' '$(WHEEL)'
	rm -rf $(DIST)/*.whl $(V3)/base $(V3)/fast
	for cpu in $(CPUS); do \
		$(MANYLINUX) --target $$cpu-unknown-linux-gnu --out $(DIST) || exit; \
	done
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=x86-64-v3" \
		$(MANYLINUX) --target x86_64-unknown-linux-gnu --target-dir $(V3) --out $(V3)/fast
	$(BIN)/wheel unpack --dest $(V3)/fast $(V3)/fast/*.whl
	$(BIN)/wheel unpack --dest $(V3)/base $(DIST)/*x86_64.whl
	mkdir $(V3)/base/secateurs-$(VERSION)/secateurs/_v3
	cp $(V3)/fast/secateurs-$(VERSION)/secateurs/_native.abi3.so $(V3)/base/secateurs-$(VERSION)/secateurs/_v3
	rm $(DIST)/*x86_64.whl
	$(BIN)/wheel pack --dest-dir $(DIST) $(V3)/base/secateurs-$(VERSION)

sdist: $(TOOLS) ## Build the archive of the sources.
	rm -f $(DIST)/secateurs-$(VERSION).tar.gz
	$(BIN)/maturin sdist --out $(DIST)

static: man ## Build archives of the program for Linux without any library, on x86-64 and ARM.
	for cpu in $(CPUS); do \
		CARGO_PROFILE_RELEASE_STRIP=symbols $(CARGO) build --release --locked -p secateurs-tools -p secateurs-kgp \
			--target $$cpu-unknown-linux-musl || exit; \
		name=secateurs-$(VERSION)-$$cpu-linux-musl; \
		rm -rf target/static/$$name && mkdir -p target/static/$$name $(DIST) && \
		cp $(TARGET_DIR)/$$cpu-unknown-linux-musl/release/secateurs $(TARGET_DIR)/$$cpu-unknown-linux-musl/release/secateurs-kgp \
			README.md CHANGELOG.md LICENSE-* examples/lichess-bot.yml \
			target/static/$$name && \
		cp -r target/man target/completions target/static/$$name && \
		tar -C target/static --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$(COMMITTED) \
			-czf $(DIST)/$$name.tar.gz $$name || exit; \
	done

man: ## Write the manual pages and the completions of shells into target/man and target/completions.
	rm -rf target/man target/completions && mkdir -p target/completions
	CARGO_PROFILE_RELEASE_STRIP=symbols $(CARGO) build --release --locked --bin secateurs --target $(HOST)
	$(TARGET_DIR)/$(HOST)/release/secateurs man target/man
	for shell in bash elvish fish powershell zsh; do \
		$(TARGET_DIR)/$(HOST)/release/secateurs completions $$shell > target/completions/secateurs.$$shell || exit; \
	done

package: ## Check that the crates can be published: their contents build by themselves.
	$(CARGO) publish --dry-run --locked --workspace

try-static: ## Run the quick start with the static program, where there is nothing else.
	$(PYTHON) tests/quickstart.py --static $(TARGET_DIR)/$(HOST)/release/secateurs docs/quickstart.md

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
	$(BIN)/python -m pip install 'secateurs[docs]'
	touch $@

# JupyterLab and marimo.
$(NOTEBOOK): $(NATIVE)
	$(BIN)/python -m pip install 'secateurs[test-web]'
	touch $@

# The other tools are those of the extra `test` in pyproject.toml.
$(NATIVE): $(TOOLS) $(SOURCES)
	$(BIN)/maturin develop --locked --extras test
	touch $@
