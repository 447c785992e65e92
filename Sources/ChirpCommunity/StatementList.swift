internal import FoundationEssentials

extension Sequence where Element: Encodable {
    /// These as one argument of a statement, which reads it by `json_each` (sqlite.org/json1.html): however many they are, the
    /// statement is the same, so it is compiled once for a connection.
    package func statementList() throws -> String {
        // A page makes several of numbers, and an encoder takes longer for each than the statement does.
        if let numbers = self as? [Int64] { return "[\(numbers.map(String.init).joined(separator: ","))]" }
        return String(decoding: try JSONEncoder().encode(Array(self)), as: UTF8.self)
    }
}
