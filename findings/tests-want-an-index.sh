#!/bin/bash
# swift build cannot build tests without an index of names, though no test of theirs is looked for in it.
#
# Version: Swift 6.3.1 on Linux, its package manager and Swift Testing.
# Behaviour: of a package that has one test, of Swift Testing, `swift build --build-tests --disable-index-store` compiles all modules and then
# ends with "index store path does not exist". With --disable-xctest it does the same. With an empty folder in that place it misses a unit for
# each object.
# Source: swift-package-manager, Sources/Build/LLBuildCommands.swift, `TestDiscoveryCommand`: on Linux it lists the classes of XCTest in the index
# of the objects of each test target, before the tests are linked, and asks neither which library the tests are of nor whether there is an index.
# Why it surprises: the tests of Swift Testing find themselves, from a section of the program. The index is written by the compiler beside each
# object and read by editors, so that whoever builds on a server switches it off first, and the tests fail after all that was to be saved.
set -euo pipefail
command -v swift >/dev/null || { echo "needs Swift 6.3 (swift.org/install)" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p Sources/Answer Tests/AnswerTests
cat >Package.swift <<'SWIFT'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "answer", targets: [.target(name: "Answer"), .testTarget(name: "AnswerTests", dependencies: ["Answer"])])
SWIFT
echo 'public func answer() -> Int { 42 }' >Sources/Answer/Answer.swift
cat >Tests/AnswerTests/AnswerTests.swift <<'SWIFT'
import Answer
import Testing

@Test func `the answer is known`() { #expect(answer() == 42) }
SWIFT

build() {
    local status=0
    swift build --build-tests "$@" >log 2>&1 || status=$?
    echo "${*:-as usual}: $status $(sed -nE 's#^error: (index store path does not exist):.*#\1#p' log)"
}

{
    build --disable-index-store
    build --disable-index-store --disable-xctest
    build
} | sed 's/ $//' | tee found
diff - found <<'EXPECTED'
--disable-index-store: 1 index store path does not exist
--disable-index-store --disable-xctest: 1 index store path does not exist
as usual: 0
EXPECTED
