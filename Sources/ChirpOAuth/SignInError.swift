public import ChirpCore
public import ChirpHTTP

/// Why a sign-in did not come to its end.
public enum SignInError: Explained, Hashable {
    /// The person said no.
    case declined(service: String, title: String)
    /// Something that is needed was unticked.
    case scopeMissing(service: String, title: String, scope: String)
    /// The person did not decide in time.
    case tooLate(service: String, title: String)
    /// The service does not know this client, or does not like what it asks for.
    case refused(service: String, title: String, detail: String)
    /// The address that the browser comes back to is taken.
    case portTaken(port: UInt16)
    case unsupported(String)
    case http(HTTPError)
    case credentials(CredentialError)

    public var whatHappened: String {
        switch self {
        case .declined(_, let title): "\(title) was not allowed"
        case .scopeMissing(_, let title, let scope):
            "\(title) was allowed without '\(PlainText(scope, limit: 100))', which is needed"
        case .tooLate(_, let title): "nobody has allowed \(title) in time"
        case .refused(_, let title, let detail): "\(title) refuses this sign-in: \(PlainText(detail, limit: 300))"
        case .portTaken(let port): "port \(port), to which the browser comes back, is in use"
        case .unsupported(let what): "\(what) is not possible"
        case .http(let error): error.whatHappened
        case .credentials(let error): error.whatHappened
        }
    }

    public var cure: Cure {
        switch self {
        case .declined(let service, _), .tooLate(let service, _): .signIn(service: service)
        case .scopeMissing(let service, _, _): .both(.advice("Leave everything ticked"), .signInAgain(service: service))
        case .refused:
            .advice("Check the client id and secret, and the client's type and redirect address at the service")
        case .portTaken: .either(.advice("End the program that uses it"), .set(.redirectPort))
        case .unsupported: .look(at: .signInHelp)
        case .http(let error): error.cure
        case .credentials(let error): error.cure
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .declined, .scopeMissing, .tooLate: .signInNeeded
        case .refused, .portTaken: .badConfiguration
        case .unsupported: .usage
        case .http(let error): error.exitCode
        case .credentials(let error): error.exitCode
        }
    }
}
