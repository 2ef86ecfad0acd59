# make demo   what Headstart does, on a real program
# make test   everything that is checked
# make bench  speed beside other tools (downloads them)
# make bench-overhead  what awaits cost that nothing needs, beside other tools (downloads them)
# make bench-build [PROJECT=FOLDER ENTRY=FILE]  what the plugin costs a build of a project
# make build  the command, for ./headstart
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
.PHONY: build addon packages setup browser demo demo-addon demo-packages demo-database test test-native test-programs lint size bench bench-build bench-overhead fuzz oracle differ clean

TARGET := $(or $(CARGO_TARGET_DIR),target)
PLATFORM = $(shell node -p 'process.platform + "-" + process.arch')
LIBRARY = $(shell node -p '({darwin: "libheadstart_napi.dylib", win32: "headstart_napi.dll"})[process.platform] ?? "libheadstart_napi.so"')
ADDON = packages/headstart/native/headstart.$(PLATFORM).node
# That of `headstart trace`.
TRACE_LIBRARY = $(subst headstart_napi,headstart_napi_trace,$(LIBRARY))
TRACE_ADDON = packages/headstart/native/headstart-trace.$(PLATFORM).node
# Puts a library where the command looks for it: profile, library, addon.
install = cmp -s $(TARGET)/$(1)/$(2) $(3) || { cp $(TARGET)/$(1)/$(2) $(3).new && mv $(3).new $(3); }
CLI := packages/headstart/dist/cli.js
PLUGIN := packages/unplugin-headstart/dist/index.js
ACTIVITIES := packages/activities/dist/index.js
FUZZ_COUNT ?= 20000
ORACLE_COUNT ?= 2000
DIFFER_COUNT ?= 100000
OVERHEAD := benches/overhead

build: setup addon $(CLI) $(PLUGIN) $(ACTIVITIES)

setup:
	@scripts/setup.sh

# The report of verify is tested in a real browser.
browser:
	@scripts/setup.sh browser

addon:
	@cargo build --release --quiet -p headstart-napi -p headstart-napi-trace
	@mkdir -p $(dir $(ADDON))
	@$(call install,release,$(LIBRARY),$(ADDON))
	@$(call install,release,$(TRACE_LIBRARY),$(TRACE_ADDON))

node_modules/.package-lock.json: package.json package-lock.json packages/*/package.json | setup
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(CLI): node_modules/.package-lock.json $(shell find packages/headstart/src packages/headstart/scripts packages/verify/src packages/verify/runtime packages/report/src packages/report/scripts packages/trace/src packages/trace/scripts packages/spans/src packages/observe/src packages/observe/scripts -type f) packages/headstart/headstart.config.schema.json
	@npm run --silent build --workspace headstart
	@touch $@

$(PLUGIN): $(CLI) $(shell find packages/unplugin-headstart/src packages/unplugin-headstart/scripts -type f)
	@npm run --silent build --workspace unplugin-headstart
	@touch $@

$(ACTIVITIES): $(CLI) $(shell find packages/activities/src packages/activities/scripts -type f)
	@npm run --silent build --workspace headstart-activities
	@touch $@

# It builds nothing that it does not need, and that all at once: most of its time is the compiler's.
demo: setup
	@echo "Building what the demo needs; on two cores, that takes about two minutes the first time"
	@$(MAKE) --no-print-directory -j3 demo-addon demo-packages demo-database
	@scripts/demo.sh

# The addon as it is, where a release has been built before; else without optimisation, in half the time.
demo-addon:
	@if [ -f $(TARGET)/release/$(LIBRARY) ]; then $(MAKE) --no-print-directory addon; else \
	  cargo build --profile quick --quiet -p headstart-napi && mkdir -p $(dir $(ADDON)) && \
	  { $(call install,quick,$(LIBRARY),$(ADDON)); }; fi

demo-packages: $(CLI) examples/storefront/node_modules/.package-lock.json

demo-database:
	@examples/storefront/scripts/with-postgres.sh true

# The example program's own tests run too: they are what the demo relies on.
test: build browser lint tests/models/node_modules/.package-lock.json examples/storefront/node_modules/.package-lock.json $(OVERHEAD)/node_modules/.package-lock.json $(OVERHEAD)/node-lts/node_modules/.package-lock.json
	npm test --silent
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-native test-programs
	npm run --silent test:atomic
	npm run --silent test:waterfalls
	cd examples/repo-status && npm test --silent
	cd examples/storefront && npm test --silent
	cd examples/seat-booking && npm test --silent

# Side by side with the next one, which compiles nothing: neither keeps two cores busy. Each is printed when it has ended.
test-native:
	cargo test --release --workspace --quiet
	$(MAKE) --no-print-directory -C charcoal test
	$(MAKE) --no-print-directory --jobs=1 fuzz oracle size

test-programs:
	npm run --silent test:specs
	npm run --silent test:models
	npm run --silent test:callgraph
	npm run --silent test:soundness
	npm run --silent test:bench
	npm run --silent test:overhead

# The packages that tests/models holds their models against. Nothing of them runs at the install.
tests/models/node_modules/.package-lock.json: tests/models/package-lock.json | setup
	@cd tests/models && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# The database client of the example program.
examples/storefront/node_modules/.package-lock.json: examples/storefront/package-lock.json | setup
	@cd examples/storefront && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# The peers of the overhead benchmarks, and the Node that they run on beside the machine's own.
$(OVERHEAD)/node_modules/.package-lock.json $(OVERHEAD)/node-lts/node_modules/.package-lock.json: %/node_modules/.package-lock.json: %/package-lock.json | setup
	@cd $* && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# What its tests import is typed by what is built.
lint: node_modules/.package-lock.json $(ACTIVITIES)
	scripts/check-invariants.sh
	cargo fmt --check
	cargo clippy --release --workspace --all-targets --quiet -- --deny warnings
	npm run --silent lint

# Mutated source files through the whole line; FUZZ_COUNT says how many.
fuzz:
	cargo run --release --quiet -p headstart-fuzz -- --count $(FUZZ_COUNT)

# Random programs, before and after fix, under every schedule; ORACLE_COUNT says how many.
oracle:
	cargo run --release --quiet -p headstart-oracle -- --count $(ORACLE_COUNT)

# Random functions before and after `optimize`; DIFFER_COUNT says how many.
differ: build
	DIFFER_COUNT=$(DIFFER_COUNT) node --test --test-name-pattern='random functions' tests/overhead/differential.test.mjs

# Whether what is published is small enough.
size:
	@scripts/check-size.sh

bench: build
	@benches/run.sh

# What an await costs that nothing needs, beside the peers; tables, numbers and charts in target/overhead.
bench-overhead: build $(OVERHEAD)/node_modules/.package-lock.json $(OVERHEAD)/node-lts/node_modules/.package-lock.json
	@node $(OVERHEAD)/bench.mjs

# What the plugin costs the build of a project, by bundler.
bench-build: build
	@node $(OVERHEAD)/build.mjs $(PROJECT) $(ENTRY)

clean:
	rm -rf $(TARGET) node_modules tests/models/node_modules examples/storefront/node_modules $(OVERHEAD)/node_modules $(OVERHEAD)/node-lts/node_modules packages/*/dist packages/*/native
