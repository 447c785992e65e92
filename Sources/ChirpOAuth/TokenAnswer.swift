internal import ChirpCore

/// What a token endpoint answers, of any of the services (RFC 6749 sections 5.1 and 5.2, RFC 8628 section 3.2).
package struct TokenAnswer: Decodable {
    var accessToken: String?
    /// Seconds; at most ``longest``.
    var expiresIn: Double?
    var refreshToken: String?
    var scope: String?
    /// The machine-readable word of a refusal.
    var error: String?
    var errorDescription: String?

    var deviceCode: String?
    var userCode: String?
    var verificationAddress: String?
    /// Seconds between two questions; at most ``longest``.
    var interval: Double?

    /// Ten years. No token is believed for longer, and instants so far ahead can be written down.
    private static let longest = 315_360_000.0

    private enum Key: String, CodingKey {
        case accessToken = "access_token"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope, error, interval
        case errorDescription = "error_description"
        case errorCode = "error_code"
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURL = "verification_url"  // Google
        case verificationURI = "verification_uri"  // RFC 8628
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) -> String? { try? values.decodeIfPresent(String.self, forKey: key) }
        func number(_ key: Key) -> Double? {
            guard let value = try? values.decodeIfPresent(Double.self, forKey: key), value >= 0 else { return nil }
            return min(value, Self.longest)
        }
        accessToken = text(.accessToken)
        expiresIn = number(.expiresIn)
        refreshToken = text(.refreshToken)
        scope = text(.scope)
        error = text(.error) ?? text(.errorCode)
        errorDescription = text(.errorDescription)
        deviceCode = text(.deviceCode)
        userCode = text(.userCode)
        verificationAddress = text(.verificationURL) ?? text(.verificationURI)
        interval = number(.interval)
    }

    /// The refusal for people: the service's word and its sentence.
    var refusal: String {
        PlainText([error, errorDescription].compactMap { $0 }.joined(separator: ": "), limit: 200).value
    }
}
