import ChirpCore
import ChirpFederation
import Crypto
import CryptoExtras
import Foundation
import Testing

/// Keys as they are kept and published.
@Suite struct KeyTests {
    @Test func `a key comes back from its PEM`() throws {
        let key = try ActorKey()
        #expect(key.pem.reveal().hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(key.publicPEM.hasPrefix("-----BEGIN PUBLIC KEY-----"))
        #expect(try ActorKey(pem: key.pem).publicPEM == key.publicPEM)
        #expect("\(key.pem)" == "‹secret›")
        _ = try VerificationKey(pem: key.publicPEM.replacing("\n", with: "\r\n") + "\r\n")
    }

    @Test func `what is no key is refused`() throws {
        let short = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024)).publicKey.pemRepresentation
        #expect(throws: KeyError.size(bits: 1024)) { try VerificationKey(pem: short) }
        let p384 = P384.Signing.PrivateKey().publicKey.pemRepresentation
        let key = try ActorKey()
        for text in [
            "", "x", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", p384, key.pem.reveal(),
            String(repeating: "A", count: 10_000), key.publicPEM.replacing("M", with: "*"),
        ] {
            #expect(throws: KeyError.unreadable) { try VerificationKey(pem: text) }
        }
        #expect(throws: KeyError.unreadable) { try ActorKey(pem: Secret(key.publicPEM)) }
    }

    @Test func `digests are those of RFC 9530 and RFC 3230`() throws {
        let body = Array(#"{"hello": "world"}"#.utf8)
        // RFC 9530, appendix B, has the same content with a line end; RFC 9421, section 7.2, this one.
        let digest = "X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE="
        #expect(ContentDigest.field(of: body) == "sha-256=:\(digest):")
        #expect(ContentDigest.oldField(of: body) == "SHA-256=\(digest)")
        try ContentDigest.check(field: "unknown=:AAAA:, sha-256=:\(digest):", of: body)
        try ContentDigest.check(oldField: "unixsum=30637, sha-256=\(digest)", of: body)
        for wrong in ["sha-256=:AAAA:", "sha-256=:\(digest):, sha-512=:AAAA:"] {
            #expect(throws: SignatureError.wrongDigest) { try ContentDigest.check(field: wrong, of: body) }
        }
        for wrong in ["", "md5=:AAAA:"] {
            #expect(throws: SignatureError.unsupported("content-digest")) {
                try ContentDigest.check(field: wrong, of: body)
            }
        }
        for wrong in ["sha-256=\(digest)", "sha-256", "sha-256=:*:", "sha-256=:\(digest):,"] {
            #expect(throws: SignatureError.malformed("content-digest")) {
                try ContentDigest.check(field: wrong, of: body)
            }
        }
        #expect(throws: SignatureError.wrongDigest) { try ContentDigest.check(oldField: "SHA-256=AAAA", of: body) }
        #expect(throws: SignatureError.unsupported("digest")) { try ContentDigest.check(oldField: "MD5=AA", of: body) }
        for wrong in ["", "SHA-256", "SHA-256=*", ",", "SHA-256=\(digest),"] {
            #expect(throws: SignatureError.malformed("digest")) { try ContentDigest.check(oldField: wrong, of: body) }
        }
    }
}
