internal import ChirpCore

/// A signed token in its compact form (JWS, RFC 7515, section 3.1). Nothing in it is believed before a key has checked it.
struct SignedToken: Sendable {
    let algorithm: SignatureAlgorithm
    /// By which its key is found.
    let keyID: String?
    private let signed: [UInt8]
    private let signature: [UInt8]
    private let payload: [UInt8]

    /// Far above what services send.
    static let mostBytes = 64 << 10

    init(_ text: String) throws(IdentityError) {
        guard text.utf8.count <= Self.mostBytes else { throw .notBelieved(reason: "the token is too long") }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]),
            let header = try? UntrustedJSON.decode(Header.self, from: head, .statement)
        else { throw .notBelieved(reason: "the token is not in the form of one") }
        guard let algorithm = SignatureAlgorithm(rawValue: header.alg) else {
            throw .notBelieved(reason: "it is signed by \(header.alg), which is not taken")
        }
        // Whatever has to be understood is not understood here (RFC 7515, section 4.1.11).
        guard header.crit == nil else { throw .notBelieved(reason: "its header wants more than is known here") }
        self.algorithm = algorithm
        self.payload = payload
        self.signature = signature
        keyID = header.kid
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// The keys that may have signed it.
    func keys(among all: [WebKey]) -> [WebKey] {
        all.filter { $0.algorithm == algorithm && (keyID == nil || $0.id == keyID) }
    }

    /// What it says, once one of the keys has signed it.
    func claims(signedBy keys: [WebKey]) throws(IdentityError) -> IdentityClaims {
        guard keys.contains(where: { $0.hasSigned(signed, signature) }) else {
            throw .notBelieved(reason: "its signature is not right")
        }
        guard let claims = try? UntrustedJSON.decode(IdentityClaims.self, from: payload, .statement) else {
            throw .notBelieved(reason: "it does not say what it has to")
        }
        return claims
    }

    private struct Header: Decodable {
        let alg: String
        let kid: String?
        let crit: [String]?
    }
}
