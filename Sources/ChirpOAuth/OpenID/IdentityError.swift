internal import ChirpCore
public import ChirpHTTP

/// Why nobody was signed in by a service elsewhere. No case holds a token, a code or the query of an address.
public enum IdentityError: Error, Hashable {
    /// The service was not reached, or not within the time that it has.
    case unreachable(HTTPError)
    /// What somebody typed is no server that may be asked.
    case badServer
    /// What the service says of itself cannot be used.
    case unusable(host: String, reason: String)
    /// The person, or the service, said no; its word for it, as plain text.
    case declined(reason: String)
    /// What the service has signed is not believed.
    case notBelieved(reason: String)
    /// The service no longer knows this hub.
    case clientForgotten(host: String)

    /// For the log of whoever runs the hub.
    public var whatHappened: String {
        switch self {
        case .unreachable(let error): error.whatHappened
        case .badServer: "the server that was typed cannot be asked"
        case .unusable(let host, let reason):
            "\(PlainText(host, limit: 100)) cannot sign anybody in: \(PlainText(reason, limit: 200))"
        case .declined(let reason): "the sign-in was refused there: \(PlainText(reason, limit: 200))"
        case .notBelieved(let reason): "the answer of the sign-in is not believed: \(PlainText(reason, limit: 200))"
        case .clientForgotten(let host): "\(PlainText(host, limit: 100)) no longer knows this hub"
        }
    }
}
