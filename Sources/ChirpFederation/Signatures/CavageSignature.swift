internal import FoundationEssentials

/// A signature of before RFC 9421 (draft-cavage-http-signatures-12), not yet believed.
struct CavageSignature: Sendable {
    let keyID: String
    /// What is covered, in order, lower case.
    let names: [String]
    /// Seconds since 1970.
    let created: Int64?
    let expires: Int64?
    let signature: [UInt8]
    private let algorithms: [SignatureAlgorithm]

    /// More names than any server signs.
    private static let mostNames = 32

    /// - Parameter text: the value of `Signature`, or of `Authorization` behind its scheme.
    init(_ text: String) throws(SignatureError) {
        let fields = try Self.fields(text)
        guard let keyID = fields["keyId"] else { throw .malformed("keyId") }
        guard let encoded = fields["signature"], let bytes = Data(base64Encoded: encoded), !bytes.isEmpty else {
            throw .malformed("signature")
        }
        self.keyID = keyID
        signature = Array(bytes)
        // Without a list only the time is covered (section 2.1.6), which is not enough here.
        names = (fields["headers"] ?? "").split(separator: " ").map(String.init)
        guard names.count <= Self.mostNames, Set(names).count == names.count,
            names.allSatisfy({ $0 == $0.lowercased() })
        else { throw .malformed("headers") }
        created = try Self.time(fields["created"], "created")
        expires = try Self.time(fields["expires"], "expires")
        let name = fields["algorithm"]?.lowercased()
        algorithms = try Self.algorithms(name)
        // The old algorithms know nothing of these two (section 2.3).
        let isOld = name.map { $0.hasPrefix("rsa") || $0.hasPrefix("ecdsa") } ?? false
        for (name, time) in [("(created)", created), ("(expires)", expires)] where names.contains(name) {
            guard !isOld, time != nil else { throw .malformed(name) }
        }
    }

    /// What was signed (section 2.3).
    func base(of message: SignedMessage) throws(SignatureError) -> String {
        var lines: [String] = []
        for name in names {
            let value: String? =
                switch name {
                case "(request-target)":
                    message.method.flatMap { method in
                        message.address.map { "\(method.lowercased()) \($0.requestTarget)" }
                    }
                case "(created)": created.map { "\($0)" }
                case "(expires)": expires.map { "\($0)" }
                default: message.value(of: name)
                }
            guard let value else { throw .malformed(name) }
            lines.append("\(name): \(value)")
        }
        return lines.joined(separator: "\n")
    }

    func isMade(by key: VerificationKey, over base: String) -> Bool {
        algorithms.contains { key.hasSigned(Array(base.utf8), signature, $0) }
    }

    /// `hs2019` and no algorithm leave it to the key, which for all of the fediverse means SHA-256 with an RSA key.
    private static func algorithms(_ name: String?) throws(SignatureError) -> [SignatureAlgorithm] {
        switch name {
        case nil, "hs2019": [.rsaSHA256, .rsaSHA512, .ed25519, .ecdsaP256]
        case "rsa-sha256": [.rsaSHA256]
        case "rsa-sha512": [.rsaSHA512]
        case "ed25519": [.ed25519]
        default: throw .unsupported("algorithm")
        }
    }

    private static func time(_ text: String?, _ name: String) throws(SignatureError) -> Int64? {
        guard let text else { return nil }
        guard text.utf8.count <= 12, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = text.safeInteger
        else { throw .malformed(name) }
        return seconds
    }

    /// `name="value"` or `name=123`, with commas between; each name once.
    private static func fields(_ text: String) throws(SignatureError) -> [String: String] {
        guard text.utf8.count <= StructuredFields.mostBytes else { throw .malformed("signature") }
        var fields: [String: String] = [:]
        var rest = Array(text.utf8)[...]
        func skipSpaces() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
        while true {
            skipSpaces()
            let name = rest.prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
            rest = rest[name.endIndex...]
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { throw .malformed("signature") }
            let value: ArraySlice<UInt8>
            if rest.first == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                value = rest.prefix { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != 0x5C }
                rest = rest[value.endIndex...]
                guard rest.popFirst() == UInt8(ascii: "\"") else { throw .malformed("signature") }
            } else {
                value = rest.prefix { (0x30...0x39).contains($0) }
                rest = rest[value.endIndex...]
                guard !value.isEmpty else { throw .malformed("signature") }
            }
            let previous = fields.updateValue(
                String(decoding: value, as: UTF8.self), forKey: String(decoding: name, as: UTF8.self))
            guard previous == nil else { throw .malformed("signature") }
            skipSpaces()
            guard let next = rest.popFirst() else { return fields }
            guard next == UInt8(ascii: ",") else { throw .malformed("signature") }
        }
    }
}
