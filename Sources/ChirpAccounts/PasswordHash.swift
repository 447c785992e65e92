internal import CSodium
package import ChirpCore

/// What a password costs to check: memory against machines that try many, passes against time.
package struct PasswordCost: Hashable, Sendable {
    /// Bytes.
    package var memory: Int
    /// 1 or more.
    package var passes: UInt64

    package init(memory: Int, passes: UInt64) {
        self.memory = memory
        self.passes = passes
    }

    /// 46 MiB and one pass: the OWASP Password Storage Cheat Sheet's first choice for Argon2id.
    package static let usual = PasswordCost(memory: 46 << 20, passes: 1)
}

/// A password as it is kept: Argon2id (RFC 9106) as a string in PHC form, which names its own cost and salt.
package struct PasswordHash: Hashable, Sendable {
    package let text: String

    /// Of passwords, in characters. Longer ones are not cut but refused, so that nobody believes in what is not checked.
    package static let lengths = 10...200

    /// A hash that is in the database already.
    package init(stored text: String) { self.text = text }

    /// Blocks for some ten milliseconds and takes ``PasswordCost/memory``.
    ///
    /// - Throws: ``AccountError/refused(_:_:)`` for the field `password`, ``AccountError/busy`` when there is no memory.
    package init(of password: Secret, cost: PasswordCost) throws(AccountError) {
        let typed = password.reveal()
        guard Self.lengths.contains(typed.count) else {
            throw .refused(.password, .passwordLength)
        }
        guard sodium_init() >= 0 else { throw .busy }
        var bytes = Array(typed.utf8)
        defer { bytes.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let code = bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { password -> Int32 in
                guard let start = password.baseAddress else { return -1 }
                return crypto_pwhash_str_alg(
                    &text, start, UInt64(password.count), cost.passes, cost.memory, crypto_pwhash_ALG_ARGON2ID13)
            }
        }
        guard code == 0 else { throw .busy }
        self.text = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether it is of this password. Blocks as making it did.
    package func matches(_ password: Secret) -> Bool {
        let typed = password.reveal()
        guard typed.count <= Self.lengths.upperBound, sodium_init() >= 0 else { return false }
        var bytes = Array(typed.utf8)
        defer { bytes.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
        return bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { password in
                text.withCString {
                    crypto_pwhash_str_verify($0, password.baseAddress ?? $0, UInt64(password.count)) == 0
                }
            }
        }
    }

    /// Whether it was made with another cost than is usual now; then it is made again at the next sign-in.
    package func isOutdated(for cost: PasswordCost) -> Bool {
        text.withCString { crypto_pwhash_str_needs_rehash($0, cost.passes, cost.memory) != 0 }
    }
}
