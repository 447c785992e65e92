# Chirp. `make help` lists the targets. There is one build form, release: audio code is 10 to 40 times slower in debug,
# and building two forms would double the waiting.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test build install uninstall format lint samples fuzz test-peers clean

PREFIX ?= /usr/local
DESTDIR ?=
# make run SERVE=0 publishes the sample and exits instead of serving the hub.
SERVE ?= 1

SWIFT_BUILD := swift build -c release --quiet
CHIRP := .build/release/chirp
# What is installed carries the runtimes of Swift and C++ inside, so that it runs where no toolchain is, and exports no
# names: looking through 38,000 of them and binding the C++ runtime took 2 ms at every start. In a folder with nothing but
# the archive the linker finds no shared libstdc++.
ARCHIVES := .build/archives
INSTALL_BUILD := swift build -c release --quiet --static-swift-stdlib --scratch-path .build/install --product chirp \
	-Xlinker --no-export-dynamic -Xlinker -L$(CURDIR)/$(ARCHIVES)
INSTALLED := .build/install/release/chirp
SWIFT_TEST := swift test -c release --skip-build --disable-xctest
# Tests that compute for seconds run before the others, which wait for answers and would find every thread taken.
COMPUTING := ^(AudioTests|CodecTests|ClipTests)\.
SOURCES := Package.swift Sources Tests

BINDIR := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
SYSTEM_UNITS := $(DESTDIR)$(PREFIX)/lib/systemd/system

help:  ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run:  ## install what is missing, build, publish Samples/hello.wav, serve the hub (SERVE=0: do not serve)
	@Scripts/setup
	@echo 'Building (the first time takes some minutes) ...' >&2
	@$(SWIFT_BUILD) --product chirp
	@SERVE=$(SERVE) Scripts/run $(CHIRP)

build:  ## install what is missing and build .build/release/chirp
	@Scripts/setup
	@$(SWIFT_BUILD) --product chirp

test:  ## install what is missing and run every test
	@Scripts/setup --tests
	@echo 'Building with tests (the first time takes some minutes) ...' >&2
	@$(SWIFT_BUILD) --build-tests
	$(SWIFT_TEST) --filter '$(COMPUTING)'
	$(SWIFT_TEST) --skip '$(COMPUTING)'

test-peers:  ## check the loopback services of the tests with Google's own client and others, from PyPI
	@Scripts/setup --tests
	@Scripts/test-peers

install:  ## install into PREFIX (default /usr/local): program, completions, man pages, systemd units
	@Scripts/setup
	@mkdir -p $(ARCHIVES) && ln -sf "$$(clang -print-file-name=libstdc++.a)" $(ARCHIVES)/
	@$(INSTALL_BUILD)
	@install -d '$(BINDIR)'
	install -m 755 $(INSTALLED) '$(BINDIR)/chirp'
	@Scripts/install-extras $(INSTALLED) '$(PREFIX)' '$(SHARE)' '$(SYSTEM_UNITS)'

uninstall:  ## remove what `make install` with the same PREFIX installed
	rm -f '$(BINDIR)/chirp' '$(SHARE)'/man/man1/chirp.1 '$(SHARE)'/man/man1/chirp-*.1
	rm -f '$(SHARE)/bash-completion/completions/chirp' '$(SHARE)/zsh/site-functions/_chirp'
	rm -f '$(SHARE)/fish/vendor_completions.d/chirp.fish' '$(SHARE)/systemd/user/chirp.service'
	rm -f '$(SYSTEM_UNITS)/chirp.service' '$(SYSTEM_UNITS)/chirp-worker.service'
	rm -rf '$(SHARE)/doc/chirp'

format:  ## format the sources in place
	swift format -i -r -p $(SOURCES)

lint:  ## check the format; any finding fails
	swift format lint --strict -r -p $(SOURCES)

fuzz:  ## read CASES=100000 hostile files, then run the fuzz targets, 10 minutes each (SECONDS=60 for less)
	@nice Scripts/fuzz structured $(or $(CASES),100000)
	@nice Scripts/fuzz $(or $(SECONDS),600)

samples:  ## make the recordings in Samples/ anew (needs espeak-ng)
	Scripts/make-samples

clean:  ## remove everything built
	rm -rf .build
