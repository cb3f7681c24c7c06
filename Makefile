# Two commands are enough: `make demo` and `make test`. Both see to their set-up themselves.

CARGO ?= cargo
STEAM  = target/debug/steam

# Where rustup puts cargo: a fresh shell may not have it on its path yet.
export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: help setup build demo test bench-cpu fmt clean

help:
	@echo 'make demo       set up, build, and run a program of each kind in the machine'
	@echo 'make test       set up, then all checks and tests'
	@echo 'make bench-cpu  measure the machine against the real CPU'
	@echo 'make fmt        format the Rust sources'
	@echo 'make clean      remove what was built'

setup:
	@toolchain/setup

build: setup
	@$(CARGO) build --quiet -p steam-cli

demo: build
	@echo '== steam demo'
	@$(STEAM) demo
	@echo
	@echo '== steam run samples/hello/hello.c -- from make'
	@$(STEAM) run samples/hello/hello.c -- from make
	@echo
	@echo '== steam run samples/hello/shapes.cc'
	@$(STEAM) run samples/hello/shapes.cc
	@echo
	@echo '== steam demo overflow'
	@$(STEAM) demo overflow; status=$$?; echo "exit status $$status"; test $$status -eq 1

test:
	@toolchain/setup --lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) run --quiet -p xtask -- tidy
	$(CARGO) build -p steam-cli
	$(CARGO) test --workspace

bench-cpu: setup
	$(CARGO) build --release -p steam-cli
	$(CARGO) run --release --quiet -p xtask -- bench-cpu

fmt:
	$(CARGO) fmt --all

clean:
	$(CARGO) clean
