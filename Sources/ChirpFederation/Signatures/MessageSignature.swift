internal import FoundationEssentials
internal import RawStructuredFieldValues

/// One of the signatures of a message (RFC 9421), not yet believed.
package struct MessageSignature: Sendable {
    package let label: String
    package let components: [SignatureComponent]
    package let keyID: String?
    /// Seconds since 1970.
    package let created: Int64?
    package let expires: Int64?
    /// Nil when it is left to the key.
    let algorithm: SignatureAlgorithm?
    let signature: [UInt8]
    /// The value of `@signature-params`.
    private let parameters: String

    /// Of all signatures of a message; two of a proxy and a server cover some twenty.
    private static let mostComponents = 64
    /// Of these, members of dictionaries. For each the whole field, of several kilobytes, is read anew.
    private static let mostDictionaryMembers = 8

    /// All signatures of a message, in the order of `Signature-Input`.
    ///
    /// - Throws: what cannot be read at all, or has more than 32 members, which no server sends.
    package static func all(in message: SignedMessage) throws(SignatureError) -> [MessageSignature] {
        guard let inputs = message.value(of: "signature-input"), let values = message.value(of: "signature") else {
            throw .missing
        }
        let signatures = try StructuredFields.dictionary(values, of: "signature")
        var found: [MessageSignature] = []
        var (components, members) = (0, 0)
        for (label, member) in try StructuredFields.dictionary(inputs, of: "signature-input") {
            guard let value = signatures[label] else { continue }
            let signature = try MessageSignature(label: label, input: member, signature: value)
            components += signature.components.count
            members += signature.components.count { $0.isMember }
            guard components <= mostComponents, members <= mostDictionaryMembers else {
                throw .malformed("signature-input")
            }
            found.append(signature)
        }
        guard !found.isEmpty else { throw .malformed("signature") }
        return found
    }

    private init(label: String, input: ItemOrInnerList, signature: ItemOrInnerList) throws(SignatureError) {
        guard case .innerList(let list) = input, list.bareInnerList.count <= StructuredFields.mostMembers else {
            throw .malformed("signature-input")
        }
        guard case .item(let item) = signature, case .undecodedByteSequence(let text) = item.rfc9651BareItem,
            let bytes = Data(base64Encoded: text), !bytes.isEmpty
        else { throw .malformed("signature") }
        self.label = label
        self.signature = Array(bytes)
        parameters = try StructuredFields.text(input)
        var components: [SignatureComponent] = []
        for item in list.bareInnerList { components.append(try SignatureComponent(item)) }
        guard Set(components.map(\.identifier)).count == components.count else { throw .malformed("signature-input") }
        self.components = components
        created = try Self.time("created", list)
        expires = try Self.time("expires", list)
        keyID = try Self.text("keyid", list)
        _ = try Self.text("nonce", list)
        _ = try Self.text("tag", list)
        if let name = try Self.text("alg", list) {
            guard let algorithm = SignatureAlgorithm(named: name) else { throw .unsupported("alg") }
            self.algorithm = algorithm
        } else {
            algorithm = nil
        }
    }

    /// What was signed (section 2.5).
    package func base(of message: SignedMessage) throws(SignatureError) -> String {
        var lines = ""
        for component in components {
            lines += "\(component.identifier): \(try component.value(in: message))\n"
        }
        return lines + "\"@signature-params\": \(parameters)"
    }

    /// Whether a key has made it over a base.
    package func isMade(by key: VerificationKey, over base: String) -> Bool {
        let allowed = algorithm.map { [$0] } ?? key.algorithms.filter { $0 != .rsaSHA512 }
        return allowed.contains { key.hasSigned(Array(base.utf8), signature, $0) }
    }

    private static func time(_ name: String, _ list: InnerList) throws(SignatureError) -> Int64? {
        switch list.rfc9651Parameters[name] {
        case nil: return nil
        case .integer(let seconds)?: return seconds
        default: throw .malformed(name)
        }
    }

    private static func text(_ name: String, _ list: InnerList) throws(SignatureError) -> String? {
        switch list.rfc9651Parameters[name] {
        case nil: return nil
        case .string(let text)?: return text
        default: throw .malformed(name)
        }
    }
}
