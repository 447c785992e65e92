internal import HTTPTypes
package import Hummingbird

/// The addresses that take what is sent to them: those of the declared acts.
package struct Acts: Sendable {
    private let patterns: [[Substring]]

    package init(_ routes: [WebRoute]) {
        patterns = routes.filter { $0.method != .get }.map { $0.path.split(separator: "/") }
    }

    /// Whether a request is one of them.
    package func include(_ head: HTTPRequest) -> Bool {
        guard head.method == .post else { return false }
        let path = (head.path ?? "").prefix { $0 != "?" }.split(separator: "/")
        return patterns.contains { pattern in
            pattern.count == path.count && zip(pattern, path).allSatisfy { $0.0.first == ":" || $0.0 == $0.1 }
        }
    }

    /// The same, and its body is announced with a length that a form may have.
    func includeBody(of head: HTTPRequest) -> Bool {
        guard include(head), !head.headerFields.contains(.transferEncoding) else { return false }
        let lengths = head.headerFields[values: .contentLength]
        return lengths.count == 1 && lengths.allSatisfy { Int($0).map { (0...Form.mostBytes).contains($0) } ?? false }
    }
}
