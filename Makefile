# Builds, tests and packages Gleaner: `make help` lists the targets.
#
# src-tauri/packaging/system-packages installs the system packages that a target needs (Debian, Ubuntu), or names them.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

# Where cargo builds; CARGO_TARGET_DIR of the environment has priority.
TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))
TOOLS := $(TARGET)/tools
TAURI := ui/node_modules/.bin/tauri
NEED := src-tauri/packaging/system-packages
EXE := $(if $(findstring Windows_NT,$(OS)),.exe)
WINDOW := $(TARGET)/debug/gleaner$(EXE)
GLEAN := $(TARGET)/debug/glean$(EXE)

# The packages that this system can build.
ifeq ($(OS),Windows_NT)
  BUNDLES := nsis,msi
else ifeq ($(shell uname -s),Darwin)
  BUNDLES := app,dmg
else
  BUNDLES := deb,rpm
endif

# nextest if it is installed (.config/nextest.toml): it repeats a failed test of the window once, and lists those that needed it.
NEXTEST := $(shell cargo nextest --version >/dev/null 2>&1 && echo yes)
CARGO_TEST := $(if $(NEXTEST),cargo nextest run --no-fail-fast,cargo test --no-fail-fast)
# Temporary files of tests are in memory if that is large enough.
IN_MEMORY := tests/in-memory
ONE_AT_A_TIME := $(if $(NEXTEST),,-- --test-threads=1)

# Sizes of the libraries of `make bench`, in articles.
BENCH_ARTICLES ?= 100000 1000000

# Minutes for which `make bench` uses the window and measures its memory.
BENCH_MINUTES ?= 10

# Seconds of `make fuzz` for each target, and the limits of one input: seconds, megabytes, bytes.
FUZZ_SECONDS ?= 60
FUZZ_LIMITS := -timeout=10 -rss_limit_mb=2048 -max_len=8192
FUZZ_TARGETS := charset cost date extract json_feed opml page parse sanitise url

# The tests of the window need a display and a session bus of their own. Without -noreset, Xvfb restarts when its last client
# leaves, and refuses a client that connects just then.
DISPLAYED := xvfb-run --auto-servernum --server-args="-screen 0 1280x900x24 -nolisten tcp -noreset" tests/session-bus

export npm_config_fund := false
export npm_config_audit := false
export npm_config_update_notifier := false

.PHONY: help run test check bench screenshots fuzz fuzz-seeds politeness torture hostile soak package package-test demo window core-test ui-test end-to-end-test icons clean need-build need-test need-package need-draw

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: window ## Build Gleaner and open its window (ARGS= are passed on)
	$(WINDOW) $(ARGS)

demo: window ## Open the window on a scratch library with feeds of a loopback server
	cargo build --locked -p gleaner-demo
	$(TARGET)/debug/gleaner-demo$(EXE) --window $(WINDOW) --glean $(GLEAN)

test: core-test ui-test end-to-end-test ## Run all tests: core, interface, the real window

check: need-build ui/node_modules/.stamp ## Formatting, clippy and rustdoc with warnings denied, type check, lint
	cargo fmt --all --check
	cd ui && npm run --silent check
	cd ui && npm run --silent lint
	cd ui && npm run --silent build
	cargo clippy --locked --workspace --all-targets --features gleaner/updater -- -D warnings
	RUSTDOCFLAGS="-D warnings -A rustdoc::private-intra-doc-links" cargo doc --locked --workspace --no-deps

# Real servers for the tests of synchronisation, if the scripts that start them are next to the checkout.
ifneq ($(wildcard ../shared/servers/ttrss-up.sh),)
  SERVERS := $(TOOLS)/coldsweat/bin/coldsweat
  export COLDSWEAT_BIN := $(TOOLS)/coldsweat/bin
endif

core-test: need-build ui/node_modules/.stamp $(SERVERS)
	$(IN_MEMORY) $(CARGO_TEST) --locked --workspace --exclude gleaner --exclude gleaner-end-to-end

ui-test: need-build ui/node_modules/.stamp
	cd ui && npm test

# Cargo compiles Tauri again unless this variable is as in `tauri build` (removeUnusedCommands).
end-to-end-test: need-test window $(TOOLS)/bin/tauri-driver $(SERVERS)
	REMOVE_UNUSED_COMMANDS="$(CURDIR)" $(CARGO_TEST) --locked -p gleaner --features updater
	PATH="$(TOOLS)/bin:$$PATH" GLEANER_WINDOW=$(WINDOW) GLEANER_GLEAN=$(GLEAN) $(IN_MEMORY) $(DISPLAYED) $(CARGO_TEST) --locked -p gleaner-end-to-end $(ONE_AT_A_TIME)

# The window with its interface inside the binary, as released, and glean, both built for development.
window: need-build ui/node_modules/.stamp
	$(TAURI) build --debug --no-bundle --ci --features updater

bench: need-test ui/node_modules/.stamp $(TOOLS)/bin/tauri-driver $(SERVERS) ## Measure the figures of docs/benchmarks.md
	$(TAURI) build --no-bundle --ci
	cargo bench --locked -p gleaner-inspect -p gleaner-content --bench parse --bench article
	cargo build --locked --release -p gleaner-bench
	cargo build --locked --release -p gleaner --example empty_window
	PATH="$(TOOLS)/bin:$$PATH" GLEANER_WINDOW=$(TARGET)/release/gleaner GLEANER_GLEAN=$(TARGET)/release/glean \
	  GLEANER_EMPTY=$(TARGET)/release/examples/empty_window \
	  $(DISPLAYED) bash -c '$(TARGET)/release/gleaner-bench && $(TARGET)/release/gleaner-bench sync && $(TARGET)/release/gleaner-bench reading 1000000 $(BENCH_MINUTES)'
	for articles in $(BENCH_ARTICLES); do $(TARGET)/release/gleaner-bench scale $$articles; done

# Minutes of `make soak`.
MINUTES ?= 60
soak: need-test ui/node_modules/.stamp $(TOOLS)/bin/tauri-driver ## Use the window for MINUTES (60), and plot its memory and CPU use in docs/soak.svg
	$(TAURI) build --no-bundle --ci
	cargo build --locked --release -p gleaner-bench
	PATH="$(TOOLS)/bin:$$PATH" GLEANER_WINDOW=$(TARGET)/release/gleaner GLEANER_GLEAN=$(TARGET)/release/glean \
	  $(DISPLAYED) $(TARGET)/release/gleaner-bench soak $(MINUTES) 500 docs/soak.svg

# Number of hosts of `make hostile`.
HOSTS ?= 500
hostile: need-build ## Refresh feeds of HOSTS (500) hosts that each send as much as allowed, within 300 MB
	cargo build --locked --release -p glean -p gleaner-bench
	$(TARGET)/release/gleaner-bench hostile $(HOSTS)

# Needs a larger screen than the tests. WebKit's driver takes screenshots of an idle window only if layers are composed.
# WebP without loss is a third smaller than PNG.
screenshots: need-test need-draw window $(TOOLS)/bin/tauri-driver ## Save the screenshots of every view in docs/screenshots
	cargo build --locked -p gleaner-demo -p gleaner-end-to-end --bins
	rm -rf docs/screenshots
	PATH="$(TOOLS)/bin:$$PATH" GLEANER_WINDOW=$(WINDOW) GLEANER_GLEAN=$(GLEAN) WEBKIT_DISABLE_COMPOSITING_MODE=0 \
	  xvfb-run --auto-servernum --server-args="-screen 0 1920x1080x24 -nolisten tcp -noreset" tests/session-bus \
	  $(TARGET)/debug/screenshots$(EXE) docs/screenshots
	for image in docs/screenshots/*.png; do cwebp -quiet -lossless -z 9 "$$image" -o "$${image%.png}.webp"; done
	rm docs/screenshots/*.png

fuzz: $(FUZZ_TARGETS:%=fuzz-%) ## Search for input that breaks a parser, FUZZ_SECONDS (60) for each of ten

fuzz-parse fuzz-charset fuzz-cost fuzz-opml: DICTIONARY := xml
fuzz-sanitise fuzz-extract fuzz-page: DICTIONARY := html
fuzz-json_feed: DICTIONARY := json
fuzz-date: DICTIONARY := date
fuzz-url: DICTIONARY := url

# Findings are in tests/fuzz/artifacts. The code under test has no unsafe block, so it needs no sanitizer and no nightly toolchain.
fuzz-%: $(TOOLS)/bin/cargo-fuzz fuzz-seeds
	CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_STRIP=none PATH="$(TOOLS)/bin:$$PATH" \
	  cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none --features libfuzzer --target-dir $(TARGET)/fuzz $* $(TARGET)/fuzz-corpus/$* -- \
	  -dict=tests/fuzz/dictionaries/$(DICTIONARY).dict -max_total_time=$(FUZZ_SECONDS) $(FUZZ_LIMITS)

# Seeds of the fuzzers: the fixtures and the documents in tests.
fuzz-seeds: need-build
	cargo run --quiet --locked -p gleaner-fuzz --example seeds -- $(TARGET)/fuzz-corpus

torture: export TORTURE := $(or $(TORTURE),500)
torture: need-build ## Kill glean at TORTURE (500) moments of each command, simulate power cuts and disk errors, check the library
	cargo test --locked -p glean --test torture
	cargo test --locked -p gleaner-library --test schemas
	cargo test --locked -p gleaner-proofs

politeness: need-build ## Generate docs/politeness.md from a run of its tests
	tests/pipeline/politeness.sh

# On Linux the packages contain a software bill of materials.
ifeq ($(shell uname -s),Linux)
  SBOM := $(TOOLS)/bin/cargo-cyclonedx
endif

package: need-build ui/node_modules/.stamp $(SBOM) ## Build the packages in dist/ (.deb and .rpm on Linux)
	src-tauri/packaging/build "$(TARGET)" "$(BUNDLES)"

package-test: need-package package ## Install, start and remove the .deb (as root)
	tests/package/test.sh

icons: need-draw ## Draw the icons from icons/*.svg
	src-tauri/packaging/draw-icons

clean: ## Remove everything that was built
	cargo clean
	rm -rf ui/dist ui/node_modules dist gen

need-build:
	@$(NEED) build

need-test:
	@$(NEED) build test

need-package:
	@$(NEED) build package

need-draw:
	@$(NEED) draw

ui/node_modules/.stamp: ui/package.json ui/package-lock.json
	cd ui && npm ci
	touch $@

$(TOOLS)/coldsweat/bin/coldsweat:
	$(NEED) build servers
	python3 -m venv $(TOOLS)/coldsweat
	$(TOOLS)/coldsweat/bin/pip install --quiet coldsweat==0.10.2

# Both programs run briefly: optimising them takes longer than it saves.
$(TOOLS)/bin/tauri-driver:
	cargo install tauri-driver --version '^2' --debug --locked --root $(TOOLS)

$(TOOLS)/bin/cargo-cyclonedx:
	cargo install cargo-cyclonedx --version '^0.5' --debug --locked --root $(TOOLS)

$(TOOLS)/bin/cargo-fuzz:
	cargo install cargo-fuzz --version '^0.13' --locked --root $(TOOLS)
