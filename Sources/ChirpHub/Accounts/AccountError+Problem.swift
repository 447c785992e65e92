internal import ChirpAccounts
internal import ChirpWeb
internal import Hummingbird

extension AccountError {
    /// As a program is told; nil for what is this hub's own trouble and belongs into its log.
    var problem: Problem? {
        switch self {
        case .refused(let field, let why):
            Problem(
                .unprocessableContent, "invalid", "Something that was sent cannot be taken",
                fields: [field.rawValue: why.sentence])
        case .wrongCredentials: Problem(.unprocessableContent, "wrong-credentials", sentence)
        case .codeNeeded: Problem(.unprocessableContent, "code-needed", sentence)
        case .deadLink: Problem(.unprocessableContent, "dead-link", sentence)
        case .registrationClosed: Problem(.forbidden, "registration-closed", sentence)
        case .suspended: Problem(.forbidden, "suspended", sentence)
        case .unconfirmed: .unconfirmed
        case .identityTaken: Problem(.conflict, "identity-taken", sentence)
        case .lastWay: Problem(.conflict, "last-way", sentence)
        case .noPassword: Problem(.forbidden, "no-password", sentence)
        case .tooOften(let seconds):
            Problem(.tooManyRequests, "too-often", "This was tried too often", retryAfter: seconds)
        case .busy, .locked: Problem(.serviceUnavailable, "busy", "Too much is asked of this hub now", retryAfter: 2)
        case .noSpace: Problem(HTTPResponse.Status(code: 507), "no-space", "There is no room left on this hub")
        case .inputOutput, .cancelled: nil
        }
    }

    private var sentence: String { whatHappened.prefix(1).uppercased() + whatHappened.dropFirst() }
}
