#!/bin/bash
# The linker cannot drop a public Swift function that nobody calls, not even from a program that is linked statically.
#
# Version: Swift 6.3.1 on Linux, with its lld 21.
# Behaviour: of a module with 200 public functions of which one is called, all 200 are in the program that is linked with --gc-sections;
# with -function-sections too, which only gives each a section of its own. With the option -internalize-at-link (of the frontend, in no
# help but -help-hidden) and -function-sections together one is left; each of the two alone leaves all 200.
# Source: swift, lib/IRGen: a definition that other images could see goes into `llvm.used`, and since LLVM 13 such a section has SHF_GNU_RETAIN
# on ELF, which linkers take for a root of the collection. Pull request 39150 had avoided that from 2021; 72061 marks sections as retained
# again, for the sake of metadata. The option says that there is no other image.
# Why it surprises: the package manager links every release build with --gc-sections, and -function-sections is the known means against
# dead code in C. Neither does a thing for what a package's modules offer each other; a program pays for all that its libraries can do.
set -euo pipefail
command -v swiftc >/dev/null || { echo "needs Swift 6.3 (swift.org/install)" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for n in $(seq 200); do
    echo "@inline(never) public func work$n(_ text: String) -> Int { text.utf8.reduce($n) { \$0 &* 31 &+ Int(\$1) } }"
done >shelf.swift
echo 'import Shelf
print(work7("one of two hundred"))' >main.swift

kept() {
    rm -f shelf.o  # see swift-object-is-kept.sh
    swiftc -O -wmo -parse-as-library -module-name Shelf -emit-module -emit-module-path Shelf.swiftmodule -c shelf.swift -o shelf.o "$@"
    swiftc -O -I . main.swift shelf.o -use-ld=lld -Xlinker --gc-sections -Xlinker --no-export-dynamic -o program
    ./program >/dev/null
    nm program | grep -cE ' [tT] \$s5Shelf[0-9]+work[0-9]+ySiSSF$'
}

{
    echo "as built: $(kept) of 200"
    echo "-function-sections: $(kept -Xfrontend -function-sections) of 200"
    echo "-internalize-at-link: $(kept -Xfrontend -internalize-at-link) of 200"
    echo "both: $(kept -Xfrontend -internalize-at-link -Xfrontend -function-sections) of 200"
} | tee found
diff - found <<'EXPECTED'
as built: 200 of 200
-function-sections: 200 of 200
-internalize-at-link: 200 of 200
both: 1 of 200
EXPECTED
