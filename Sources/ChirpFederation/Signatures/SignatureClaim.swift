internal import ChirpCore
internal import ChirpHTTP
internal import Crypto
package import FoundationEssentials

/// What a request says about who has signed it. Nothing of it is believed before ``verify(by:now:)`` has found the key right.
package struct SignatureClaim: Sendable {
    /// Which key: where its owner's document is found.
    package let keyID: ObjectID
    package let scheme: SignatureScheme
    private let base: String
    private let created: Date
    private let expires: Date?
    private let isMade: @Sendable (VerificationKey, String) -> Bool

    /// How old a signature may be, in seconds; Mastodon allows as much.
    package static let longestAge = 12 * 3600.0
    /// How much a clock may be wrong beyond that.
    package static let margin = 300.0

    /// Reads the signature, RFC 9421's where both are there, and checks all that needs no key: what is covered, digest and form.
    package init(of request: IncomingRequest) throws(SignatureError) {
        let message = SignedMessage(method: request.method, address: request.address, headers: request.headers)
        if message.values(of: "signature-input") != nil {
            try self.init(messageSignaturesOf: request, message)
        } else {
            try self.init(cavageOf: request, message)
        }
    }

    /// Checks time and signature.
    ///
    /// - Returns: by what it is known again, and until when: the same signature within that time is the same request once more.
    package func verify(by key: VerificationKey, now: Date) throws(SignatureError) -> VerifiedSignature {
        let age = now.timeIntervalSince(created)
        guard age <= Self.longestAge + Self.margin else { throw .expired }
        guard age >= -(Self.longestAge + Self.margin) else { throw .premature }
        let end = min(created.addingTimeInterval(Self.longestAge), expires ?? .distantFuture)
        let validUntil = end.addingTimeInterval(Self.margin)
        guard now <= validUntil else { throw .expired }
        guard isMade(key, base) else { throw .wrongKey }
        // What was signed and not the signature itself, of which some algorithms have many for the same.
        let digest = SHA256.hash(data: Array("\(keyID)\n\(base)".utf8))
        return VerifiedSignature(
            keyID: keyID, scheme: scheme, fingerprint: digest.hexadecimal, validUntil: validUntil)
    }

    /// The first signature that covers enough; when there is none, what the first one lacks.
    private init(messageSignaturesOf request: IncomingRequest, _ message: SignedMessage) throws(SignatureError) {
        var first: SignatureError?
        for signature in try MessageSignature.all(in: message) {
            do throws(SignatureError) {
                self = try SignatureClaim(signature, request, message)
                return
            } catch {
                first = first ?? error
            }
        }
        throw first ?? .missing
    }

    private init(
        _ signature: MessageSignature, _ request: IncomingRequest, _ message: SignedMessage
    ) throws(SignatureError) {
        // A part of a field, or one of a query's fields, is not the whole.
        let names = Set(signature.components.filter { $0.identifier == "\"\($0.name)\"" }.map(\.name))
        guard names.contains("@method") else { throw .notCovered("@method") }
        let isPlaceCovered =
            names.contains("@target-uri")
            || (names.contains("@authority")
                && (names.contains("@request-target")
                    || (names.contains("@path") && (request.address.query == nil || names.contains("@query")))))
        guard isPlaceCovered else { throw .notCovered("@target-uri") }
        if request.needsDigest && !names.contains("content-digest") { throw .notCovered("content-digest") }
        if names.contains("content-digest"), let field = message.value(of: "content-digest") {
            try ContentDigest.check(field: field, of: request.body)
        }
        if let seconds = signature.created {
            created = Date(timeIntervalSince1970: Double(seconds))
        } else if names.contains("date") {
            created = try Self.date(of: message)
        } else {
            throw .notCovered("created")
        }
        keyID = try Self.keyID(signature.keyID)
        scheme = .messageSignatures
        base = try signature.base(of: message)
        expires = signature.expires.map { Date(timeIntervalSince1970: Double($0)) }
        isMade = { signature.isMade(by: $0, over: $1) }
    }

    private init(cavageOf request: IncomingRequest, _ message: SignedMessage) throws(SignatureError) {
        let prefix = "Signature "
        let authorization = message.value(of: "authorization").flatMap { value in
            value.hasPrefix(prefix) ? String(value.dropFirst(prefix.count)) : nil
        }
        guard let text = message.value(of: "signature") ?? authorization else { throw .missing }
        let signature = try CavageSignature(text)
        let names = Set(signature.names)
        for name in ["(request-target)", "host"] where !names.contains(name) { throw .notCovered(name) }
        if request.needsDigest && !names.contains("digest") { throw .notCovered("digest") }
        if names.contains("digest"), let field = message.value(of: "digest") {
            try ContentDigest.check(oldField: field, of: request.body)
        }
        if names.contains("(created)"), let seconds = signature.created {
            created = Date(timeIntervalSince1970: Double(seconds))
        } else if names.contains("date") {
            created = try Self.date(of: message)
        } else {
            throw .notCovered("date")
        }
        keyID = try Self.keyID(signature.keyID)
        scheme = .cavage
        base = try signature.base(of: message)
        expires = signature.expires.map { Date(timeIntervalSince1970: Double($0)) }
        isMade = { signature.isMade(by: $0, over: $1) }
    }

    private static func date(of message: SignedMessage) throws(SignatureError) -> Date {
        guard let date = message.value(of: "date").flatMap(HTTPDate.parse) else { throw .malformed("date") }
        return date
    }

    private static func keyID(_ text: String?) throws(SignatureError) -> ObjectID {
        guard let text else { throw .malformed("keyId") }
        guard let id = ObjectID(text) else { throw .unsupported("keyId") }
        return id
    }
}

/// A signature that was found right.
package struct VerifiedSignature: Hashable, Sendable {
    package let keyID: ObjectID
    package let scheme: SignatureScheme
    /// 64 hexadecimal digits of what was signed, for a table of what has been seen. Two equal requests to read, within a second, have the
    /// same one; of requests that change something each has its own.
    package let fingerprint: String
    /// After this it is refused for its age, so that it need not be remembered any longer.
    package let validUntil: Date
}

extension IncomingRequest {
    /// Whether there is content, or should be.
    fileprivate var needsDigest: Bool { !body.isEmpty || (method != "GET" && method != "HEAD") }
}

extension Sequence<UInt8> {
    fileprivate var hexadecimal: String {
        let digits = Array("0123456789abcdef")
        return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
