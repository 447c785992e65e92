public import ChirpCore
public import FoundationEssentials

/// What is kept of a sign-in, or of what a person has written down for a service.
public struct Credential: Hashable, Sendable {
    public var accessToken: Secret?
    public var refreshToken: Secret?
    /// When the access token ends; nil when it does not.
    public var expires: Date?
    /// The account's own name at the service, where one is needed: `id` and handle.
    public var accountID: String?
    public var handle: String?
    /// The root of the instance, for services that have many.
    public var instance: String?
    /// Chirp's registration at that instance, and the redirect address that belongs to it.
    public var clientID: String?
    public var clientSecret: Secret?
    public var redirect: String?
    /// For services with a password (WebDAV).
    public var user: String?
    public var password: Secret?
    /// Why the tokens are gone, when they were revoked or have expired: a sentence without its full stop.
    public var ended: String?

    public init(accessToken: Secret? = nil, refreshToken: Secret? = nil, expires: Date? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expires = expires
    }

    /// Everything that gives access is forgotten; a registration stays, since it gives none by itself.
    mutating func wipe(because cause: String?) {
        accessToken = nil
        refreshToken = nil
        expires = nil
        accountID = nil
        handle = nil
        user = nil
        password = nil
        ended = cause
    }
}

extension Credential: Codable {
    private enum Key: String, CodingKey {
        case accessToken, refreshToken, expires, accountID, handle, instance, clientID, clientSecret, redirect, user
        case password, ended
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }
        func secret(_ key: Key) throws -> Secret? { try text(key).map { Secret($0) } }
        accessToken = try secret(.accessToken)
        refreshToken = try secret(.refreshToken)
        expires = try values.decodeIfPresent(Date.self, forKey: .expires)
        accountID = try text(.accountID)
        handle = try text(.handle)
        instance = try text(.instance)
        clientID = try text(.clientID)
        clientSecret = try secret(.clientSecret)
        redirect = try text(.redirect)
        user = try text(.user)
        password = try secret(.password)
        ended = try text(.ended)
    }

    /// The one place where secrets are written in the clear: into the credentials file.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(accessToken?.reveal(), forKey: .accessToken)
        try values.encodeIfPresent(refreshToken?.reveal(), forKey: .refreshToken)
        try values.encodeIfPresent(expires, forKey: .expires)
        try values.encodeIfPresent(accountID, forKey: .accountID)
        try values.encodeIfPresent(handle, forKey: .handle)
        try values.encodeIfPresent(instance, forKey: .instance)
        try values.encodeIfPresent(clientID, forKey: .clientID)
        try values.encodeIfPresent(clientSecret?.reveal(), forKey: .clientSecret)
        try values.encodeIfPresent(redirect, forKey: .redirect)
        try values.encodeIfPresent(user, forKey: .user)
        try values.encodeIfPresent(password?.reveal(), forKey: .password)
        try values.encodeIfPresent(ended, forKey: .ended)
    }
}
