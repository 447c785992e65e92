internal import FoundationEssentials

/// What an ID token says (OpenID Connect Core 1.0, section 2).
struct IdentityClaims: Decodable, Sendable {
    let issuer: String
    let subject: String
    let audience: [String]
    let authorizedParty: String?
    /// Seconds since 1970.
    let expires: Double
    let issued: Double
    let notBefore: Double?
    let nonce: String?
    let mail: String?
    let isMailVerified: Bool
    let name: String?
    let handle: String?

    /// How far two clocks may be apart, in seconds.
    static let tolerance = 60.0

    private enum Key: String, CodingKey {
        case iss, sub, aud, azp, exp, iat, nbf, nonce, email, name
        case verified = "email_verified"
        case handle = "preferred_username"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        issuer = try values.decode(String.self, forKey: .iss)
        subject = try values.decode(String.self, forKey: .sub)
        audience =
            try (try? values.decode(String.self, forKey: .aud)).map { [$0] }
            ?? values.decode([String].self, forKey: .aud)
        authorizedParty = try values.decodeIfPresent(String.self, forKey: .azp)
        expires = try values.decode(Double.self, forKey: .exp)
        issued = try values.decode(Double.self, forKey: .iat)
        notBefore = try values.decodeIfPresent(Double.self, forKey: .nbf)
        nonce = try values.decodeIfPresent(String.self, forKey: .nonce)
        mail = try? values.decodeIfPresent(String.self, forKey: .email)
        // A few services write it as a text.
        isMailVerified =
            (try? values.decodeIfPresent(Bool.self, forKey: .verified))
            ?? ((try? values.decodeIfPresent(String.self, forKey: .verified)) == "true")
        name = try? values.decodeIfPresent(String.self, forKey: .name)
        handle = try? values.decodeIfPresent(String.self, forKey: .handle)
    }

    /// Whether it was made by this service, for this hub, for this sign-in, and now (section 3.1.3.7).
    func check(issuer: String, client: String, nonce: String, now: Date) throws(IdentityError) {
        func require(_ condition: Bool, _ reason: String) throws(IdentityError) {
            guard condition else { throw .notBelieved(reason: reason) }
        }
        let now = now.timeIntervalSince1970
        try require(self.issuer == issuer, "it comes from another issuer")
        try require(audience.contains(client), "it is for another client")
        try require(audience.count == 1 || authorizedParty != nil, "it is for several clients and names no party")
        try require(authorizedParty.map { $0 == client } ?? true, "it was given to another party")
        try require(now < expires + Self.tolerance, "it has ended")
        try require(issued <= now + Self.tolerance, "it was made in the future")
        try require(notBefore.map { $0 <= now + Self.tolerance } ?? true, "it does not count yet")
        try require(self.nonce == nonce, "it belongs to another sign-in")
        try require((1...255).contains(subject.utf8.count), "it names nobody")
    }

    /// Whom it names.
    var person: OutsidePerson {
        OutsidePerson(
            subject: subject, shown: mail ?? handle ?? name ?? "", handle: handle ?? "",
            mail: isMailVerified ? mail : nil)
    }
}
