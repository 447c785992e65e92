#!/bin/bash
# After the layout of a structure changed, `swift build` leaves a module uncompiled that holds it in a structure of another module.
#
# Versions: Swift 6.3 on Linux; `swift build -c release`, and `swiftc -incremental`, on which debug builds stand.
# Behaviour: `top` imports `middle`, whose structure holds one of `bottom`. A stored property is added in `bottom`. `middle` is compiled
# again, and its module comes out as it was, byte for byte: it names the structure and not its size. So nothing tells that `top` has to be
# compiled too. It keeps the old size and reads another value. With all compiled anew it is right.
# Source: the package manager's plan (.build/release.yaml) names for each module those it imports directly; the compiler's notes of what a
# file depends on end at modules that were compiled before.
# Why it surprises: a build that succeeds is believed to be the one of a fresh clone. `top` need not mention what was changed.
set -euo pipefail
command -v swift >/dev/null || { echo "needs Swift 6.3 (swift.org/install)" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p Sources/{bottom,middle,top}
cat >Package.swift <<'SWIFT'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "layout",
    targets: [
        .target(name: "bottom"), .target(name: "middle", dependencies: ["bottom"]),
        .executableTarget(name: "top", dependencies: ["middle"]),
    ])
SWIFT
inner() { printf 'package struct Inner { %spackage var a = 1; package init() {} }\n' "$1" >Sources/bottom/Inner.swift; }
cat >Sources/middle/Outer.swift <<'SWIFT'
package import bottom

package struct Outer {
    package var inner = Inner()
    package var last = 7
    package init() {}
}
@inline(never) package func make() -> Outer { Outer() }
SWIFT
cat >Sources/top/main.swift <<'SWIFT'
internal import middle

@inline(never) func last() -> Int { make().last }
print(last())
SWIFT
run() {
    swift build -c release >said 2>&1 || { cat said >&2; exit 1; }
    { grep -oE 'Compiling (bottom|middle|top)\b' said || true; } | sort -u | tr '\n' ' '
    { SWIFT_BACKTRACE=enable=no .build/release/top || true; } 2>/dev/null | grep -qx 7 && echo 'right' || echo 'wrong'
}
inner ''
run >/dev/null
inner 'package var b = (11, 12, 13); '
run >found
rm -rf .build
run >>found
diff - found <<'EXPECTED'
Compiling bottom Compiling middle wrong
Compiling bottom Compiling middle Compiling top right
EXPECTED
cat found
