internal import FoundationEssentials

extension Sequence where Element: Encodable {
    /// These as one argument of a statement, which reads it by `json_each` (sqlite.org/json1.html): however many they are, the
    /// statement is the same, so it is compiled once for a connection.
    package func statementList() throws -> String {
        // A page makes several of numbers and ids, and an encoder takes longer for each than the statement does.
        if let numbers = self as? [Int64] { return "[\(numbers.map(String.init).joined(separator: ","))]" }
        if let names = self as? [String], names.allSatisfy(Self.isPlain) {
            return names.isEmpty ? "[]" : "[\"\(names.joined(separator: "\",\""))\"]"
        }
        return String(decoding: try JSONEncoder().encode(Array(self)), as: UTF8.self)
    }

    /// Whether a text stands in JSON as it is: ids do.
    private static func isPlain(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { bytes in
            bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        }
    }
}
