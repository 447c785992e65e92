internal import HTTPTypes
package import Hummingbird

/// The declared addresses, as far as what is sent to them goes.
package struct Acts: Sendable {
    private struct Act: Sendable {
        let method: HTTPRequest.Method
        let pattern: [Substring]
        let body: RequestBody

        func matches(_ path: [Substring]) -> Bool {
            pattern.count == path.count && zip(pattern, path).allSatisfy { $0.0.first == ":" || $0.0 == $0.1 }
        }
    }
    private let acts: [Act]

    package init(_ routes: [WebRoute]) {
        acts = routes.map { Act(method: $0.method, pattern: $0.path.split(separator: "/"), body: $0.body) }
    }

    /// What is read of a request; nil when no act takes it.
    private func body(_ head: HTTPRequest) -> RequestBody? {
        guard head.method != .get, head.method != .head else { return nil }
        let path = Self.path(head)
        return acts.first { $0.method == head.method && $0.matches(path) }?.body
    }

    /// Whether a request is one of them.
    package func include(_ head: HTTPRequest) -> Bool { body(head) != nil }

    /// Whether an address is declared, but not with this method.
    func refuse(_ head: HTTPRequest) -> Bool {
        let path = Self.path(head)
        let method = head.method == .head ? .get : head.method
        let found = acts.filter { $0.matches(path) }
        return !found.isEmpty && !found.contains { $0.method == method }
    }

    /// The methods that an address takes.
    package func methods(at head: HTTPRequest) -> [String] {
        let path = Self.path(head)
        let found = Set(acts.filter { $0.matches(path) }.map(\.method.rawValue))
        return (found.isEmpty || found.contains("GET") ? found.union(["GET", "HEAD"]) : found).sorted()
    }

    /// The same as ``include(_:)``, and its body is announced with a length that is read there.
    func includeBody(of head: HTTPRequest) -> Bool {
        guard let body = body(head) else { return false }
        let most: Int
        switch body {
        case .none: most = 0
        case .form: most = Form.mostBytes
        case .upTo(let bytes), .upload(let bytes), .files(_, let bytes): most = bytes
        case .stream: return true
        }
        guard !head.headerFields.contains(.transferEncoding) else { return false }
        let lengths = head.headerFields[values: .contentLength]
        return lengths.count == 1 && lengths.allSatisfy { $0.integer(in: 0...Int32(clamping: most)) != nil }
    }

    /// Whether a request is one of those that receive files.
    func includeFiles(_ head: HTTPRequest) -> Bool {
        switch body(head) {
        case .upload, .files, .stream: true
        case .form, .upTo, nil, .some(.none): false
        }
    }

    /// Whether a request is one of those that are read as a form or a document before they are worked on.
    func includeDocument(_ head: HTTPRequest) -> Bool {
        switch body(head) {
        case .form, .upTo: true
        case .upload, .files, .stream, nil, .some(.none): false
        }
    }

    private static func path(_ head: HTTPRequest) -> [Substring] {
        (head.path ?? "").prefix { $0 != "?" }.split(separator: "/")
    }
}
