internal import ChirpFiles
internal import Crypto
internal import FoundationEssentials

/// The key that a hub signs licences with (Ed25519, RFC 8032): 32 secret bytes in a file that only its owner reads.
package struct GrantKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey
    /// What everybody may know of it.
    package let publicKey: GrantPublicKey

    package static let length = 32

    /// Why there is no key.
    package enum Failure: Error, Hashable, Sendable {
        case file(path: String, reason: String)
        /// A file of that name is there and holds no key. Whoever moves it away gets a new key; papers that were signed stay valid.
        case damaged(path: String)
    }

    private init(_ key: Curve25519.Signing.PrivateKey) throws(Failure) {
        self.key = key
        guard let publicKey = GrantPublicKey(Array(key.publicKey.rawRepresentation)) else { throw .damaged(path: "") }
        self.publicKey = publicKey
    }

    /// Reads it, and makes it when there is none. Blocks. Of two processes that make it at once one wins, and both use that one.
    package static func read(_ path: String) throws(Failure) -> GrantKey {
        if let key = try found(path) { return key }
        do throws(FileError) { try write(to: path, replacing: false) } catch {
            // EEXIST: another process was faster.
            if let other = try found(path) { return other }
            throw .file(path: path, reason: error.reason)
        }
        guard let key = try found(path) else { throw .file(path: path, reason: "it was removed at once") }
        return key
    }

    /// Begins another key: from now on papers are signed with it. Those signed before stay valid, since libraries keep the public part of every
    /// key that has signed. Blocks.
    package static func renew(_ path: String) throws(Failure) -> GrantKey {
        do throws(FileError) { try write(to: path, replacing: true) } catch {
            throw .file(path: path, reason: error.reason)
        }
        return try read(path)
    }

    private static func write(to path: String, replacing: Bool) throws(FileError) {
        let file = try AtomicFile.create(at: path, mode: 0o600)
        try file.write(Array(Curve25519.Signing.PrivateKey().rawRepresentation))
        try file.commit(replacing: replacing)
    }

    /// Nil when there is no file.
    private static func found(_ path: String) throws(Failure) -> GrantKey? {
        var bytes: [UInt8] = []
        do throws(FileError) {
            try FileContent.read(path, limit: Int64(length), isUnwanted: { false }) { bytes += $0 }
        } catch {
            if error.isMissing { return nil }
            // EFBIG: whatever lies there, it is no key.
            guard error.number != 27 else { throw .damaged(path: path) }
            throw .file(path: path, reason: error.reason)
        }
        guard bytes.count == length, let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes) else {
            throw .damaged(path: path)
        }
        return try GrantKey(key)
    }

    /// 64 bytes. The same message gives the same ones.
    package func signature(of message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message)) }
}

/// The public part of a key, by which anybody checks what it has signed.
package struct GrantPublicKey: Hashable, Sendable {
    /// 32 bytes (RFC 8032, 5.1.5).
    package let bytes: [UInt8]

    /// Nil for what is no key.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == GrantKey.length, (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)) != nil
        else {
            return nil
        }
        self.bytes = bytes
    }

    /// What papers name it by: the first 16 digits of its SHA-256.
    package var id: String { String(FileDigest.sha256(of: bytes).prefix(16)) }

    /// As programs such as `openssl` read it (RFC 8410, 4).
    package var pem: String {
        let algorithm: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        let text = Data(algorithm + bytes).base64EncodedString()
        return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
    }

    func hasSigned(_ message: [UInt8], _ signature: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
        return key.isValidSignature(signature, for: message)
    }
}
