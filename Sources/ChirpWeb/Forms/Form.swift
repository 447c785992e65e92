package import ChirpCore

/// The fields of a form as a browser has sent them (`application/x-www-form-urlencoded`, URL standard, section 5.1).
package struct Form: Sendable {
    /// The most that one takes, in bytes.
    package static let mostBytes = 64 << 10

    private let fields: [String: [String]]

    /// - Parameter body: malformed escapes stay as they are typed; bytes that are no UTF-8 become U+FFFD.
    /// - Throws: ``TooManyFields``.
    package init(_ body: some Sequence<UInt8>) throws(TooManyFields) {
        self.init(pairs: try PercentEncoding.fields(ofForm: body))
    }

    /// - Parameter pairs: of another kind of form; the first of a name counts where one does.
    package init(pairs: [(name: String, value: String)]) {
        var fields: [String: [String]] = [:]
        for pair in pairs { fields[pair.name, default: []].append(pair.value) }
        self.fields = fields
    }

    /// What a field holds, the first of its name; empty where there is none.
    package subscript(_ name: String) -> String { fields[name]?.first ?? "" }

    /// What all fields of a name hold, as check boxes send them.
    package func list(_ name: String) -> [String] { fields[name] ?? [] }
}
