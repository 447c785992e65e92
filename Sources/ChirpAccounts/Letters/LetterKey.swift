internal import ChirpCore
internal import Crypto
internal import FoundationEssentials

/// Derives the tokens of links in letters from the letters' ids (HMAC, RFC 2104, with SHA-256).
///
/// A letter waits in the database until it is sent, and the database must hold nothing that opens an account. So a token is made
/// when its link is written down, forgotten, and made again when the letter is sent. The key lies outside of the database.
package struct LetterKey: Sendable {
    private let key: SymmetricKey

    /// - Parameter key: at least 32 secret bytes, the same after a restart.
    package init(_ key: [UInt8]) {
        precondition(key.count >= 32)
        self.key = SymmetricKey(data: Data(key))
    }

    /// One that ends with the process, for those who send no letters.
    package init() { key = SymmetricKey(size: .bits256) }

    /// What authenticators call an account (Web Authentication, section 14.6.1): nobody can compute it from what the hub shows of the account.
    func passkeyHandle(of account: AccountID) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data("passkey's account:\(account.rawValue)".utf8), using: key)
        return code.base64URL
    }

    /// By which name a bucket of letters is kept: nobody who has the database alone can try whose address it was.
    func digest(ofBucket name: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data("letters' limit:\(name)".utf8), using: key)
        return Data(code).base64EncodedString()
    }

    /// The token of the link in a letter. The words before the id keep it apart from what else is derived from the same key.
    func token(of letter: String) -> OpaqueToken {
        OpaqueToken(
            bytes: Array(HMAC<SHA256>.authenticationCode(for: Data("letter's link:\(letter)".utf8), using: key)))
    }
}
