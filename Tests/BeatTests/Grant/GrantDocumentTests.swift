import ChirpBeats
import ChirpCommunity
import ChirpTestKit
import Foundation
import Testing

/// Papers that anybody can check, with nothing but the file and the public key.
@Suite struct GrantDocumentTests {
    private let cast: GrantCast

    init() throws { cast = try GrantCast() }

    private func issued() async throws -> (document: GrantDocument, pdf: [UInt8]) {
        let grant = try await cast.grants.issue(cast.draft(), key: cast.key)
        return (grant.document, try await cast.grants.paper(of: grant.id))
    }

    @Test func `what was issued is valid, and one changed byte is not`() async throws {
        let (document, pdf) = try await issued()
        let keys = [cast.key.publicKey]
        #expect(document.verdict(of: pdf, keys: keys) == .valid)
        for place in stride(from: 0, to: pdf.count, by: max(1, pdf.count / 50)) {
            var changed = pdf
            changed[place] ^= 1
            #expect(document.verdict(of: changed, keys: keys) == .changed)
        }
        #expect(document.verdict(of: pdf + [10], keys: keys) == .changed)
        #expect(document.verdict(of: [], keys: keys) == .changed)
    }

    @Test func `a byte changed in what was written down is found too`() async throws {
        let (document, pdf) = try await issued()
        func flipped(_ bytes: [UInt8], _ place: Int) -> [UInt8] {
            var bytes = bytes
            bytes[place] ^= 1
            return bytes
        }
        func verdict(
            statement: [UInt8]? = nil, signature: [UInt8]? = nil, seal: [UInt8]? = nil, sha256: String? = nil
        ) -> GrantDocument.Verdict {
            GrantDocument(
                statement: statement ?? document.statement, signature: signature ?? document.signature,
                seal: seal ?? document.seal, key: document.key, sha256: sha256 ?? document.sha256
            ).verdict(of: pdf, keys: [cast.key.publicKey])
        }
        #expect(verdict() == .valid)
        for place in document.statement.indices {
            #expect(verdict(statement: flipped(document.statement, place)) == .changed)
        }
        for place in 0..<64 {
            #expect(verdict(signature: flipped(document.signature, place)) == .changed)
            #expect(verdict(seal: flipped(document.seal, place)) == .changed)
        }
        #expect(verdict(signature: []) == .changed && verdict(signature: document.seal) == .changed)
        #expect(verdict(sha256: String(repeating: "0", count: 64)) == .changed)
    }

    @Test func `a hash is enough, in capitals too`() async throws {
        let (document, _) = try await issued()
        let keys = [cast.key.publicKey]
        #expect(document.verdict(ofFileWith: document.sha256.uppercased(), keys: keys) == .valid)
        #expect(document.verdict(ofFileWith: nil, keys: keys) == .valid)
        #expect(document.verdict(ofFileWith: "", keys: keys) == .changed)
    }

    @Test func `what another key has signed is told apart from what was changed`() async throws {
        let (document, pdf) = try await issued()
        let other = try GrantKey.read(cast.folder.path("other-key")).publicKey
        #expect(document.verdict(of: pdf, keys: [other]) == .unknownKey)
        #expect(document.verdict(of: pdf, keys: []) == .unknownKey)
        #expect(document.verdict(of: pdf, keys: [other, cast.key.publicKey]) == .valid)
    }

    @Test func `another program finds both signatures right, and not those of another statement`() async throws {
        let (document, _) = try await issued()
        let key = try cast.path(Array(cast.key.publicKey.pem.utf8), "key.pem")
        func verify(_ message: [UInt8], _ signature: [UInt8]) throws -> Int32 {
            let paths = (try cast.path(message, "message"), try cast.path(signature, "signature"))
            return try ExternalProgram("openssl").run([
                "pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in", paths.0, "-sigfile", paths.1,
            ]).status
        }
        #expect(try verify(document.statement, document.signature) == 0)
        #expect(try verify(document.sealed, document.seal) == 0)
        #expect(try verify(document.statement + [10], document.signature) != 0)
    }
}
