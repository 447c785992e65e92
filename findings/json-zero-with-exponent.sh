#!/bin/bash
# A JSON zero with an exponent is a number or "not valid JSON", by how many characters long it is.
#
# Version: Foundation of Swift 6.3.1 on Linux.
# Behaviour: JSONDecoder reads -0e9, 0e10, 0e007 and -0.0e100 as Double, and refuses 0e1, 0e2, -0.0e10 and 0.00e1 as corrupted data. RFC 8259
# (section 6) allows all of them, JSONSerialization reads them, and JSONDecoder itself reads all of them as Int and as Decimal.
# Source: swift-foundation, Sources/FoundationEssentials/JSON/JSONDecoder.swift, `isTrueZero`: a result of 0 is taken for an underflow if a
# digit other than 0 is in the number. Four bytes at a time are looked at, and that loop ends at the `e`; in the one to three bytes that are
# left behind it the digits of the exponent count too.
# Why it surprises: 0e2 is what some printers write for an integer of 0 in scientific form. The whole document is refused, with an error
# that says it is no JSON, and whoever tries a longer exponent to find out why finds nothing wrong.
set -euo pipefail
command -v swiftc >/dev/null || { echo "needs Swift 6.3 (swift.org/install)" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/zeros.swift" <<'SWIFT'
import Foundation

let texts = ["0e1", "0e2", "0e10", "0e007", "-0e9", "-0.0e10", "-0.0e100", "0.0e1", "0.00e1", "0.00e100"]
func reads<T: Decodable>(_ type: T.Type) -> String {
    texts.filter { (try? JSONDecoder().decode([T].self, from: Data("[\($0)]".utf8))) == nil }.joined(separator: " ")
}
print("refused as Double:", reads(Double.self))
print("refused as Float:", reads(Float.self))
print("refused as Int:", reads(Int.self))
print("refused as Decimal:", reads(Decimal.self))
let all = try JSONSerialization.jsonObject(with: Data("[\(texts.joined(separator: ","))]".utf8)) as? [Double]
print("JSONSerialization:", (all ?? []).count, "numbers, all zero:", (all ?? []).allSatisfy { $0 == 0 })
SWIFT
swiftc -o "$folder/zeros" "$folder/zeros.swift"
"$folder/zeros" | tee "$folder/found"
diff - "$folder/found" <<'EXPECTED'
refused as Double: 0e1 0e2 -0.0e10 0.00e1
refused as Float: 0e1 0e2 -0.0e10 0.00e1
refused as Int: 
refused as Decimal: 
JSONSerialization: 10 numbers, all zero: true
EXPECTED
