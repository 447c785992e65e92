# Chirp. `make help` lists the targets. There is one build form, release: audio code is 10 to 40 times slower in debug,
# and building two forms would double the waiting.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test check build install install-symbols uninstall format lint samples fuzz test-browser test-peers test-races test-hostile \
    board-load board-matches record-load beat-load clean

PREFIX ?= /usr/local
DESTDIR ?=
# make run SERVE=0 builds only what publishes the sample, publishes it and exits instead of serving the hub.
SERVE ?= 1
# make run JOBS=1 runs one compiler at a time.
export JOBS

# The program as it is installed: Scripts/link makes it of the objects that tests are linked from too, so there is one build.
BUILT := .build/installed
CHIRP := $(BUILT)/chirp
SOURCES := Package.swift Plugins Sources Tests

BINDIR := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
SYMBOLS := $(DESTDIR)$(PREFIX)/lib/debug/.build-id
SYSTEM_UNITS := $(DESTDIR)$(PREFIX)/lib/systemd/system

help:  ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run:  ## install what is missing, build, publish Samples/hello.wav, serve the hub (SERVE=0: build only what publishes, do not serve)
	@Scripts/setup
	@SERVE=$(SERVE) Scripts/run

build:  ## install what is missing and build .build/installed/chirp
	@Scripts/setup
	@Scripts/build
	@Scripts/link $(BUILT)

test:  ## install what is missing and run every test
	@Scripts/setup --tests
	@Scripts/s3-servers
	@Scripts/build --tests
	@Scripts/link $(BUILT)
	@Scripts/test-all

check:  ## run the tests of MODULE=ChirpListings, or of what differs from HEAD, in a minute (TESTS=Target,Target FILTER=regex LIMIT=seconds)
	@Scripts/check $(MODULE) --tests '$(TESTS)' --filter '$(FILTER)' --limit $(or $(LIMIT),60)

test-peers:  ## check the loopback services of the tests, a hub and what is heard in music with Google's own client and others, from PyPI
	@Scripts/setup --tests
	@Scripts/test-peers

test-browser: build  ## check the hub's pages in Debian's Chromium, with a real sound server for microphone and loudspeaker
	@Scripts/setup --tests
	@Scripts/test-browser

test-races: build  ## let 50 callers at once ask for what one can have, with kill -9, each race ROUNDS=1000 times; takes hours
	@Scripts/test-races --rounds $(or $(ROUNDS),1000) --marks 10000 --entries 10000 --pagings 200 --looks 2000 --deaths 200 \
		--buyers 1000 --bids 10000

test-hostile: build  ## do to a hub what strangers do who mean harm; WHOLE=1: at full size, with the test pictures of Pillow's sources
	@Scripts/setup --tests
	@Scripts/test-hostile $(if $(WHOLE),--whole)

install: build  ## install into PREFIX (default /usr/local): program, completions, man pages, systemd units
	@install -d '$(BINDIR)'
	install -m 755 $(CHIRP) '$(BINDIR)/chirp'
	@Scripts/install-extras $(CHIRP) '$(PREFIX)' '$(SHARE)' '$(SYSTEM_UNITS)'

install-symbols: build  ## install what debuggers want to know into PREFIX/lib/debug
	@id=$$(readelf -n $(CHIRP) | sed -nE 's/.*Build ID: ([0-9a-f]+)/\1/p'); \
	install -D -m 644 $(BUILT)/chirp.debug "$(SYMBOLS)/$${id:0:2}/$${id:2}.debug"

uninstall:  ## remove what `make install` with the same PREFIX installed
	@id=$$(readelf -n '$(BINDIR)/chirp' 2>/dev/null | sed -nE 's/.*Build ID: ([0-9a-f]+)/\1/p'); \
	rm -f "$(SYMBOLS)/$${id:0:2}/$${id:2}.debug"
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

# In a large transaction each statement writes to a journal of its own, which is a file.
board-load:  ## fill LIBRARY=folder/hub with ITEMS=1000000 listings and what belongs to them, for Benchmarks/boards
	@Scripts/setup --measuring
	@Scripts/build --tests
	SQLITE_TMPDIR=/dev/shm .build/release/boardload '$(or $(LIBRARY),.build/board-load/chirp/hub)' items=$(or $(ITEMS),1000000) \
	    accounts=$(or $(ACCOUNTS),100000) marks=$(or $(MARKS),5000000) comments=$(or $(COMMENTS),1000000) \
	    seed=$(or $(SEED),1)

board-matches:  ## list PAIRS=1000 things as lost and as found among ITEMS=100000 others, and look how many meet
	@Scripts/setup --measuring
	@Scripts/build --tests
	.build/release/boardload '$(or $(LIBRARY),.build/board-matches/hub)' items=$(or $(ITEMS),100000) \
	    marks=0 comments=0 pairs=$(or $(PAIRS),1000) seed=$(or $(SEED),1) missed=$(or $(MISSED),0)

record-load:  ## fill LIBRARY=folder/hub with RULES=100000 challenges, attempts at them and votes, and measure their lists; for Benchmarks/challenges too
	@Scripts/setup --measuring
	@Scripts/build --tests
	SQLITE_TMPDIR=/dev/shm .build/release/boardload '$(or $(LIBRARY),.build/record-load/chirp/hub)' \
	    items=$(or $(ITEMS),0) marks=0 comments=0 accounts=$(or $(ACCOUNTS),100000) rules=$(or $(RULES),100000) \
	    attempts=$(or $(ATTEMPTS),1000000) votes=$(or $(VOTES),10000000) measure=$(or $(MEASURE),1000) seed=$(or $(SEED),1)

# 5,000,000 marks in all, with votes on challenges and likes of tracks.
beat-load:  ## fill LIBRARY=folder/hub with TRACKS=100000 tracks, with sales, auctions and likes, beside listings and challenges: a million entries, for Benchmarks/beats
	@Scripts/setup --measuring
	@Scripts/build --tests
	SQLITE_TMPDIR=/dev/shm .build/release/boardload '$(or $(LIBRARY),.build/beat-load/chirp/hub)' \
	    items=$(or $(ITEMS),800000) accounts=$(or $(ACCOUNTS),100000) rules=$(or $(RULES),100000) tracks=$(or $(TRACKS),100000) \
	    marks=$(or $(MARKS),4000000) comments=$(or $(COMMENTS),1000000) attempts=$(or $(ATTEMPTS),1000000) \
	    votes=$(or $(VOTES),500000) likes=$(or $(LIKES),500000) seed=$(or $(SEED),1)

samples:  ## make the recordings in Samples/ anew (needs espeak-ng)
	Scripts/make-samples

clean:  ## remove everything built
	rm -rf .build
