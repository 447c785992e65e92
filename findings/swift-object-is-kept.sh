#!/bin/bash
# swiftc keeps an object file of an earlier build though it was asked for another one.
#
# Version: Swift 6.3.1 on Linux.
# Behaviour: a module is compiled, and compiled again into the same file with -Xfrontend -function-sections. The second call succeeds, says
# nothing and leaves the first object as it is, to the time it was written. After `rm` of the object the same call makes one with a section
# for each function.
# Source: swift, lib/IRGen/IRGen.cpp, `getHashOfModule` and `needsRecompile`: the object holds a hash (section .swift_modhash) of the module's
# LLVM IR and of the options for the back end that `writeLLVMCodeGenOptionsTo` lists; where it is that of the new IR the back end does not
# run. -function-sections is neither in the IR nor in the list.
# Why it surprises: whoever measures what an option brings compiles twice into one place, and finds that it brings nothing. A build system
# that sees the changed arguments runs the compiler, believes it, and links the old code.
set -euo pipefail
command -v swiftc >/dev/null || { echo "needs Swift 6.3 (swift.org/install)" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >two.swift <<'SWIFT'
@inline(never) public func first(_ text: String) -> Int { text.utf8.count }
@inline(never) public func second(_ text: String) -> Int { text.unicodeScalars.count }
SWIFT

compile() { swiftc -O -wmo -parse-as-library -module-name Two -Xfrontend -internalize-at-link -c two.swift -o two.o "$@"; }
sections() { readelf -SW two.o | grep -c ' \.text\.\$s3Two' || true; }

{
    compile
    touch -d '2001-01-01' two.o
    echo "sections of functions, without the option: $(sections)"
    compile -Xfrontend -function-sections
    echo "with it, over the same file: $(sections), written in $(date -r two.o +%Y)"
    rm two.o
    compile -Xfrontend -function-sections
    echo "with it, the file removed before: $(sections)"
} | tee found
diff - found <<'EXPECTED'
sections of functions, without the option: 0
with it, over the same file: 0, written in 2001
with it, the file removed before: 2
EXPECTED
