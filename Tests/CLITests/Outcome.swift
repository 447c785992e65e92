import Foundation

/// What a finished program left.
struct Outcome: Sendable {
    /// Nil when a signal ended it.
    let status: Int32?
    let signal: Int32?
    let output: Data
    let errors: String

    /// Standard output as text.
    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) }
    var errorLines: [String] { errors.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) }

    /// Standard output as the one JSON document that it must be.
    func json() throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: output)
        return value as? [String: Any] ?? [:]
    }
}
