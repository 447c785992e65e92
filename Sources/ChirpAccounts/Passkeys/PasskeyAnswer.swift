internal import ChirpCore
internal import Crypto
internal import FoundationEssentials

/// What a browser brings from an authenticator (Web Authentication, level 2).
package enum PasskeyAnswer {
    /// A new passkey: section 7.1.
    package struct Registration: Sendable {
        let clientData: [UInt8]
        let attestation: [UInt8]

        /// - Parameters:
        ///   - clientData: `clientDataJSON`, base64url.
        ///   - attestation: `attestationObject`, base64url.
        /// - Returns: nil for what cannot be one.
        package init?(clientData: String, attestation: String) {
            guard let clientData = PasskeyAnswer.bytes(clientData, most: 4 << 10),
                let attestation = PasskeyAnswer.bytes(attestation, most: 16 << 10)
            else { return nil }
            (self.clientData, self.attestation) = (clientData, attestation)
        }
    }

    /// A passkey that is shown: section 7.2.
    package struct Assertion: Sendable {
        let credential: [UInt8]
        let clientData: [UInt8]
        let authenticatorData: [UInt8]
        let signature: [UInt8]
        let userHandle: [UInt8]?

        /// - Parameters: base64url, each; the name of the account may be missing or empty.
        /// - Returns: nil for what cannot be one.
        package init?(
            credential: String, clientData: String, authenticatorData: String, signature: String, userHandle: String
        ) {
            guard let credential = PasskeyAnswer.bytes(credential, most: PasskeyAnswer.longestCredential),
                let clientData = PasskeyAnswer.bytes(clientData, most: 4 << 10),
                let authenticatorData = PasskeyAnswer.bytes(authenticatorData, most: 4 << 10),
                let signature = PasskeyAnswer.bytes(signature, most: 1 << 10)
            else { return nil }
            (self.credential, self.clientData) = (credential, clientData)
            (self.authenticatorData, self.signature) = (authenticatorData, signature)
            self.userHandle = PasskeyAnswer.bytes(userHandle, most: 64)
        }
    }

    /// Section 4: a credential's name has at most 1,023 bytes.
    static let longestCredential = 1023

    private static func bytes(_ text: String, most: Int) -> [UInt8]? {
        guard !text.isEmpty, text.utf8.count <= most / 3 * 4 + 4, let bytes = Base64URL.decode(text),
            bytes.count <= most
        else { return nil }
        return bytes
    }
}

/// Where passkeys are made for, and which pages may ask for them.
package struct PasskeyParty: Hashable, Sendable {
    /// The host of the hub, without its port (section 5.1.2, `rpId`).
    package let id: String
    /// As in `https://hub.example`.
    package let origin: String

    /// - Returns: nil where no browser makes passkeys: for an address of numbers, and over plain http but on `localhost`.
    package init?(publicURL: String) {
        guard let scheme = publicURL.firstRange(of: "://") else { return nil }
        let authority = publicURL[scheme.upperBound...].prefix { $0 != "/" }
        let host = authority.prefix { $0 != ":" }.lowercased()
        let isSecure = publicURL.hasPrefix("https:") || host == "localhost"
        guard isSecure, !host.isEmpty, !host.hasPrefix("["), host.contains(where: \.isLetter) else { return nil }
        id = host
        origin = "\(publicURL[..<scheme.lowerBound])://\(authority)".lowercased()
    }

    /// What an authenticator says, once all but its signature was checked.
    struct Facts {
        let isVerified: Bool
        let isBackedUp: Bool
        let count: UInt32
        /// Of a new passkey.
        let credential: (id: [UInt8], key: PasskeyPublicKey)?
    }

    /// Checks what the browser says (section 5.8.1): for what, where, and with which challenge.
    func accepts(_ clientData: [UInt8], type: String, challenge: String) -> Bool {
        struct ClientData: Decodable {
            let type, challenge, origin: String
            let crossOrigin: Bool?
            let topOrigin: String?
        }
        guard let data = try? UntrustedJSON.decode(ClientData.self, from: clientData, .statement) else { return false }
        return data.type == type && data.challenge == challenge && data.origin == origin
            && data.crossOrigin != true && data.topOrigin == nil
    }

    /// Reads authenticator data (section 6.1).
    ///
    /// - Returns: nil for what is none, is for another place, or says that nobody was there.
    func facts(_ bytes: [UInt8]) -> Facts? {
        guard bytes.count >= 37, Array(bytes[..<32]) == Array(SHA256.hash(data: Data(id.utf8))) else { return nil }
        let flags = bytes[32]
        guard flags & 0x01 != 0 else { return nil }
        let count = bytes[33..<37].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var credential: (id: [UInt8], key: PasskeyPublicKey)?
        if flags & 0x40 != 0 {
            guard bytes.count >= 55 else { return nil }
            let length = Int(bytes[53]) << 8 | Int(bytes[54])
            guard (1...PasskeyAnswer.longestCredential).contains(length), bytes.count > 55 + length else { return nil }
            let rest = bytes[(55 + length)...]
            guard let (value, taken) = CBORValue.read(rest),
                let key = PasskeyPublicKey(value, encoded: Array(rest.prefix(taken)))
            else { return nil }
            credential = (Array(bytes[55..<(55 + length)]), key)
        }
        return Facts(
            isVerified: flags & 0x04 != 0, isBackedUp: flags & 0x10 != 0, count: count, credential: credential)
    }
}
