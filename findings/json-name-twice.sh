#!/bin/bash
# One JSON object with a name that stands in it twice has two values in one Foundation, and two in one SQLite.
#
# Versions: Foundation of Swift 6.3 on Linux; SQLite 3.54.1 (apsw 3.54.1.0 from PyPI).
# Behaviour: of {"a":1,"a":2}, which RFC 8259 (section 4) allows, JSONDecoder gives 1, for a structure and for a dictionary, and
# JSONSerialization of the same library gives 2. SQLite's json_extract reads 1, json_patch onto an empty object keeps 2, json_set
# changes the first of the two, and json_remove takes only the first away: asked again, the name is still there, with the other value.
# Source: swift-foundation, Sources/FoundationEssentials/JSON/JSONDecoder.swift (a key that has a value keeps it); RFC 8259, section 4.
# Why it surprises: whoever checks a document with one of them and uses it with another checks something else than is used. "Removed"
# is believed to mean that a reader finds nothing there. Nearly every other decoder lets the last one count.
set -euo pipefail
command -v swiftc >/dev/null || { echo "needs Swift 6.3 (swift.org/install)" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/names.swift" <<'SWIFT'
import Foundation

struct Named: Decodable { let a: Int }
let text = Data(#"{"a":1,"a":2}"#.utf8)
print("JSONDecoder, structure:", try JSONDecoder().decode(Named.self, from: text).a)
print("JSONDecoder, dictionary:", try JSONDecoder().decode([String: Int].self, from: text))
print("JSONSerialization:", try JSONSerialization.jsonObject(with: text))
SWIFT
swiftc -o "$folder/names" "$folder/names.swift"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install apsw==3.54.1.0
cat >"$folder/names.py" <<'PYTHON'
import apsw

text = '{"a":1,"a":2}'
for call in (
    "json_extract(?, '$.a')",
    "json_patch('{}', ?)",
    "json_set(?, '$.a', 9)",
    "json_remove(?, '$.a')",
    "json_extract(json_remove(?, '$.a'), '$.a')",
):
    print(f"SQLite, {call}:", apsw.Connection(":memory:").execute(f"SELECT {call}", (text,)).get)
PYTHON
{ "$folder/names" && "$folder/venv/bin/python" "$folder/names.py"; } | tee "$folder/found"
diff - "$folder/found" <<'EXPECTED'
JSONDecoder, structure: 1
JSONDecoder, dictionary: ["a": 1]
JSONSerialization: ["a": 2]
SQLite, json_extract(?, '$.a'): 1
SQLite, json_patch('{}', ?): {"a":2}
SQLite, json_set(?, '$.a', 9): {"a":9,"a":2}
SQLite, json_remove(?, '$.a'): {"a":2}
SQLite, json_extract(json_remove(?, '$.a'), '$.a'): 2
EXPECTED
