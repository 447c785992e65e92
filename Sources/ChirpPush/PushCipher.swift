package import Crypto
internal import FoundationEssentials

/// Encrypts what a push service carries so that only the browser reads it: RFC 8291 over `aes128gcm` (RFC 8188), in one record.
package enum PushCipher {
    /// The longest content in bytes: a push service must take 4,096 (RFC 8030, section 7.2), of which 86 are the header and 17 the end
    /// of the record.
    package static let most = 4096 - header - 17
    /// Salt, size of the record, length of the key, key (RFC 8188, section 2.1).
    private static let header = 16 + 4 + 1 + 65
    private static let recordSize = 4096
    /// Contents are filled up to a multiple of so many bytes, since their length would tell the service who has written.
    private static let step = 256

    package enum Fault: Error, Hashable, Sendable {
        /// More than ``most`` bytes.
        case tooLong
        /// The browser's key is no key.
        case badKey
    }

    /// - Parameters:
    ///   - content: at most ``most`` bytes.
    ///   - isPadded: hides the length of the content.
    ///   - sender: a key that is used once.
    ///   - salt: 16 bytes that are used once.
    package static func seal(
        _ content: [UInt8], for subscription: PushSubscription, isPadded: Bool = true,
        sender: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey(), salt: [UInt8] = freshSalt()
    ) throws(Fault) -> [UInt8] {
        guard content.count <= most else { throw .tooLong }
        precondition(salt.count == 16)
        do {
            let browser = try P256.KeyAgreement.PublicKey(x963Representation: subscription.key)
            let shared = try sender.sharedSecretFromKeyAgreement(with: browser)
            let own = Array(sender.publicKey.x963Representation)
            // RFC 8291, section 3.4.
            let secret = shared.hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: subscription.secret,
                sharedInfo: Array("WebPush: info\0".utf8) + subscription.key + own, outputByteCount: 32)
            func derived(_ info: String, _ count: Int) -> SymmetricKey {
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: secret, salt: salt, info: Array("Content-Encoding: \(info)\0".utf8),
                    outputByteCount: count)
            }
            let nonce = try AES.GCM.Nonce(data: derived("nonce", 12).withUnsafeBytes { Array($0) })
            let room = isPadded ? min((content.count / step + 1) * step, most) - content.count : 0
            // 2: this is the last record; zeros behind it are padding.
            let record = content + [2] + [UInt8](repeating: 0, count: room)
            let box = try AES.GCM.seal(record, using: derived("aes128gcm", 16), nonce: nonce)
            let size = (0..<4).map { UInt8(truncatingIfNeeded: recordSize >> (24 - 8 * $0)) }
            return salt + size + [UInt8(own.count)] + own + box.ciphertext + box.tag
        } catch {
            throw .badKey
        }
    }

    /// From the system's source of randomness.
    package static func freshSalt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
