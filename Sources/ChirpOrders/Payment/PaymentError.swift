package import ChirpCore

/// Why a payment provider did not do what it was asked. No case holds a secret, a card or a name.
package enum PaymentError: Explained, Hashable {
    /// The seller has no account with the provider that the hub knows of.
    case noAccount(provider: String)
    /// The provider cannot do this at all.
    case unsupported(provider: String, what: String)
    /// It will not be done, and asking again is no use.
    case refused(provider: String, reason: String)
    /// Nobody knows whether it was done; asking again will tell.
    case later(provider: String, reason: String)
    /// An answer or a message that makes no sense.
    case malformed(provider: String, reason: String)
    /// A message that nobody vouches for.
    case forged(provider: String, fault: SignatureFault)
    /// The key of an account cannot be used.
    case badKey(path: String, reason: String)
    case cancelled

    package var isTemporary: Bool {
        switch self {
        case .later, .cancelled: true
        case .noAccount, .unsupported, .refused, .malformed, .forged, .badKey: false
        }
    }

    package var whatHappened: String {
        switch self {
        case .noAccount(let provider): "the seller takes no payments by \(provider)"
        case .unsupported(let provider, let what): "\(provider) does not \(PlainText(what, limit: 200))"
        case .refused(let provider, let reason): "\(provider) refuses: \(PlainText(reason, limit: 200))"
        case .later(let provider, let reason): "\(provider) does not answer: \(PlainText(reason, limit: 200))"
        case .malformed(let provider, let reason): "\(provider) makes no sense: \(PlainText(reason, limit: 200))"
        case .forged(let provider, let fault): "a message is not from \(provider): \(fault)"
        case .badKey(let path, let reason): "the key in '\(PlainText(path, limit: 200))' cannot be used: \(reason)"
        case .cancelled: "interrupted"
        }
    }

    package var cure: Cure {
        switch self {
        case .noAccount, .unsupported: .advice("Choose another way to pay")
        case .refused: .advice("Try another card, or another way to pay")
        case .later: .advice("Try again")
        case .malformed: .reportDiagnosis
        case .forged: .advice("Check the signing secrets and this machine's clock")
        case .badKey(let path, _): .makePrivate(path: path)
        case .cancelled: .none
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .noAccount, .unsupported, .refused, .malformed, .forged: .refused
        case .later: .temporary
        case .badKey: .badConfiguration
        case .cancelled: .interrupted
        }
    }
}
