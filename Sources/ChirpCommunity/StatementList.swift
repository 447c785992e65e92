internal import FoundationEssentials

extension Sequence where Element: Encodable {
    /// These as one argument of a statement, which reads it by `json_each` (sqlite.org/json1.html): however many they are, the
    /// statement is the same, so it is compiled once for a connection.
    package func statementList() throws -> String {
        String(decoding: try JSONEncoder().encode(Array(self)), as: UTF8.self)
    }
}
