internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials
internal import RawStructuredFieldValues

/// A part of a message that a signature covers (RFC 9421, section 2).
package struct SignatureComponent: Sendable {
    /// Lower case: a header field, or a derived component, which begins with `@`.
    package let name: String
    /// As it stands in the base, with its parameters.
    package let identifier: String
    private let form: Form

    private enum Form: Sendable {
        case plain
        /// One member of a dictionary.
        case member(String)
        /// Each value as bytes.
        case bytes
        /// One field of a query.
        case query(String)
    }

    /// Whether it is one member of a dictionary, so that the whole field is read for it.
    var isMember: Bool {
        if case .member = form { true } else { false }
    }

    init(_ item: Item) throws(SignatureError) {
        guard case .string(let name) = item.rfc9651BareItem, !name.isEmpty, name == name.lowercased(),
            name != "@signature-params"
        else { throw .malformed("signature-input") }
        self.name = name
        identifier = try StructuredFields.text(.item(item))
        var form = name == "@query-param" ? nil : Form.plain
        for (key, value) in item.rfc9651Parameters {
            switch (key, value) {
            case ("key", .string(let member)) where !name.hasPrefix("@"): form = .member(member)
            case ("bs", .bool(true)) where !name.hasPrefix("@"): form = .bytes
            case ("name", .string(let field)) where name == "@query-param": form = .query(field)
            default: throw .unsupported("\(name);\(key)")
            }
        }
        guard let form, item.rfc9651Parameters.count <= 1 else { throw .malformed("signature-input") }
        self.form = form
    }

    /// - Throws: ``SignatureError/malformed(_:)`` when the message has no such part.
    func value(in message: SignedMessage) throws(SignatureError) -> String {
        let value = name.hasPrefix("@") ? try derived(message) : try field(message)
        guard let value, !value.utf8.contains(0x0A) else { throw .malformed(name) }
        return value
    }

    private func derived(_ message: SignedMessage) throws(SignatureError) -> String? {
        let address = message.address
        switch name {
        case "@method": return message.method
        case "@status": return message.status.map { "\($0)" }
        case "@target-uri": return address?.text
        case "@authority": return address?.authority
        case "@scheme": return address.map { $0.isSecure ? "https" : "http" }
        case "@request-target": return address?.requestTarget
        case "@path": return address?.path
        case "@query": return address.map { "?" + ($0.query ?? "") }
        case "@query-param":
            guard case .query(let encoded) = form, let query = address?.query else { return nil }
            let wanted = PercentEncoding.decode(encoded, plusIsSpace: true)
            let values = PercentEncoding.fields(of: query).filter { $0.name == wanted }
            return values.count == 1 ? Self.formEncoded(values[0].value) : nil
        default: throw .unsupported(name)
        }
    }

    private func field(_ message: SignedMessage) throws(SignatureError) -> String? {
        switch form {
        case .plain: return message.value(of: name)
        case .bytes:
            return message.values(of: name)?.map { ":\(Data($0.utf8).base64EncodedString()):" }.joined(separator: ", ")
        case .member(let key):
            guard let text = message.value(of: name), let member = try StructuredFields.dictionary(text, of: name)[key]
            else { return nil }
            return try StructuredFields.text(member)
        case .query: return nil
        }
    }

    /// The set of characters that stay in forms of the web is another one than that of RFC 3986 (section 2.2.8).
    private static func formEncoded(_ text: String) -> String {
        PercentEncoding.encode(text).replacing("~", with: "%7E").replacing("%2A", with: "*")
    }
}
