# Two commands are enough: `make demo` and `make test`. Both see to their set-up themselves.

CARGO ?= cargo
STEAM  = target/debug/steam

# Where rustup puts cargo: a fresh shell may not have it on its path yet.
export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: help setup build demo test test-all test-random fuzz bench-cpu bench-discipline bench-ltl bench-paper bench-peers bench-races bench-spin bench-states bench-step bench-verisoft deny fmt clean

help:
	@echo 'make demo         set up, build, and find the deadlock of the philosophers'
	@echo 'make test         set up, then all checks and tests'
	@echo 'make test-all     the same with each tool that a test can use: installs them by apt'
	@echo 'make fuzz         damaged inputs of each kind, 50,000 of each (FUZZ=n: n of each, START=m: from the m-th on)'
	@echo 'make test-random  5,000 random programs, 2,000 with formulas, every search against the plainest one'
	@echo 'make bench-cpu    measure the machine against the real CPU'
	@echo 'make bench-discipline  states with and without the locking discipline'
	@echo 'make bench-ltl    measure what temporal formulas cost'
	@echo 'make bench-paper  the tables of the StEAM paper (very long; BENCH="--short --jobs 2": some hours)'
	@echo 'make bench-peers  measure the search beside published figures of GenMC and Nidhugg'
	@echo 'make bench-races  measure what looking for data races costs'
	@echo 'make bench-spin   measure the search beside published figures of SPIN'
	@echo 'make bench-states states of programs as people write them, with each rule off and on'
	@echo 'make bench-step   measure what a step costs with 10, 100 and 1,000 threads'
	@echo 'make bench-verisoft  the philosophers of VeriSoft by each kind of search (BENCH=--short: smaller)'
	@echo 'make deny         licences, versions, sources and advisories of all libraries, by cargo-deny (needs a network)'
	@echo 'make fmt          format the Rust sources'
	@echo 'make clean        remove what was built'

setup:
	@toolchain/setup

build: setup
	@$(CARGO) build --quiet -p steam-cli

demo: build
	@echo '== steam run samples/hello/shapes.cc'
	@$(STEAM) run samples/hello/shapes.cc
	@echo
	@echo '== steam run samples/memory/overflow.c'
	@$(STEAM) run samples/memory/overflow.c; status=$$?; echo "exit status $$status"; test $$status -eq 1
	@echo
	@echo '== steam check samples/philosophers/deadlock.c --algo astar --heur pl2 -- 3'
	@$(STEAM) check samples/philosophers/deadlock.c --algo astar --heur pl2 \
	    --trail target/philosophers.trail -- 3; \
	    status=$$?; echo "exit status $$status"; test $$status -eq 1

# Examples in documentation stand in steam-check alone, as tidy sees to: --all-targets leaves out the search for more.
# steam-cli, which has none, is named beside it so that libraries keep the features with which they are compiled.
test:
	@toolchain/setup --lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --document-private-items --quiet
	$(CARGO) run --quiet -p xtask -- tidy
	$(CARGO) build -p steam-cli
	$(CARGO) test --workspace --all-targets
	$(CARGO) test --doc -p steam-check -p steam-cli

# Where the tools lie that are made from packages and not installed.
TOOLS = $(CURDIR)/target/tools

test-all:
	@toolchain/setup-all $(TOOLS)
	PATH="$(TOOLS)/bin:$$PATH" STEAM_TEST_ALL=1 $(MAKE) test
	STEAM_GUEST_RUNNER=qemu-i386 $(CARGO) test -p steam-tests --test programs

FUZZ  ?= 50000
START ?= 1000000

fuzz: setup
	STEAM_FUZZ=$(FUZZ) STEAM_FUZZ_START=$(START) $(CARGO) test -p steam-tests --test fuzz

test-random: setup
	STEAM_RANDOM=5000 $(CARGO) test --release -p steam-tests --test random
	STEAM_RANDOM=2000 $(CARGO) test --release -p steam-tests --test formulas
	STEAM_RANDOM=20000 $(CARGO) test --release -p steam-search --test exploration -- formulas obligations

bench-paper: setup
	$(CARGO) build --release -p steam-cli
	$(CARGO) run --release --quiet -p xtask -- bench-paper $(BENCH)

bench-verisoft: setup
	$(CARGO) build --release -p steam-cli
	$(CARGO) run --release --quiet -p xtask -- bench-verisoft $(BENCH)

bench-cpu bench-discipline bench-ltl bench-peers bench-races bench-spin bench-states bench-step: setup
	$(CARGO) build --release -p steam-cli
	$(CARGO) run --release --quiet -p xtask -- $@

# For who changes a dependency; tidy, a part of `make test`, checks licences and versions by the same lists.
DENY = 0.20.2

deny:
	@test "$$($(TOOLS)/bin/cargo-deny --version 2>/dev/null)" = "cargo-deny $(DENY)" || \
	    $(CARGO) install --debug --locked --root $(TOOLS) cargo-deny@$(DENY)
	$(TOOLS)/bin/cargo-deny check licenses bans sources
	$(TOOLS)/bin/cargo-deny check advisories

fmt:
	$(CARGO) fmt --all

clean:
	$(CARGO) clean
