public import ChirpCore

/// Why the hub cannot serve.
public enum HubError: Explained, Hashable {
    /// Something else, perhaps another hub, listens there.
    case portInUse(bind: String, port: Int)
    case cannotBind(bind: String, port: Int, reason: String)
    /// Another server serves the same library, and one of the two does not share it.
    case alreadyServed(folder: String, isShared: Bool)
    /// Several processes are to serve a library, and what they need in common is not said.
    case sharingIncomplete(reason: String)
    /// Certificate and key are there, but links begin with `http:`.
    case secureAddressNeeded(publicURL: String)
    /// Only one of certificate and key is named.
    case halfCertificate
    case unusableCertificate(reason: String)
    /// A service elsewhere is named, by which nobody could sign in.
    case identityIncomplete(reason: String)
    /// Payments by cards are wanted, and what they need is not there.
    case paymentsIncomplete(reason: String)

    public var whatHappened: String {
        switch self {
        case .portInUse(let bind, let port): "port \(port) on \(bind) is in use"
        case .cannotBind(let bind, let port, let reason): "cannot listen on \(bind), port \(port): \(reason)"
        case .alreadyServed(let folder, _): "the hub in '\(PlainText(folder, limit: 200))' is being served already"
        case .sharingIncomplete(let reason): "several processes cannot serve the hub: \(reason)"
        case .secureAddressNeeded(let url):
            "hub.tls.certificate is set, but links begin with \(PlainText(url, limit: 200))"
        case .halfCertificate: "TLS needs both hub.tls.certificate and hub.tls.key"
        case .unusableCertificate(let reason): "TLS cannot begin: \(reason)"
        case .identityIncomplete(let reason): "signing in by OpenID Connect cannot begin: \(reason)"
        case .paymentsIncomplete(let reason): "payments by Stripe cannot begin: \(reason)"
        }
    }

    public var cure: Cure {
        switch self {
        case .portInUse: .either(.advice("Stop what listens there (it may be another hub)"), .set(.hubPort))
        case .cannotBind: .set(.hubAddress)
        case .alreadyServed(_, isShared: false): .either(.advice("Use that one, or end it"), .set(.dataFolder))
        case .alreadyServed(_, isShared: true):
            .advice("End the one that does not share it, or serve with that one alone")
        case .sharingIncomplete: .advice("Set what is missing, or let one process serve it")
        case .secureAddressNeeded: .set(.hubAddress)
        case .halfCertificate: .advice("Set both, or neither")
        case .unusableCertificate:
            .advice("Look at the files of hub.tls.certificate and hub.tls.key: PEM, and readable by this user")
        case .identityIncomplete: .advice("Set what is missing, or leave OpenID Connect out")
        case .paymentsIncomplete: .advice("Set what is missing, or be paid by hand")
        }
    }

    public var exitCode: ExitCode { .refused }
}
