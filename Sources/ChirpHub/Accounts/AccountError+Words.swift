internal import ChirpAccounts
internal import ChirpWeb

/// What a page says of it, in the visitor's language. Logs, the terminal and programs get ``AccountError/whatHappened``.
extension AccountError {
    /// A sentence without its full stop.
    var words: String {
        switch self {
        case .refused(_, let refusal): refusal.words
        case .wrongCredentials: word("trouble.credentials")
        case .codeNeeded(false): word("trouble.code-needed")
        case .codeNeeded(true): word("trouble.code-wrong")
        case .deadLink: word("trouble.dead-link")
        case .registrationClosed(false): word("trouble.closed")
        case .registrationClosed(true): word("trouble.invites")
        case .tooOften(let seconds): word("trouble.too-often", ["seconds": "\(seconds)"])
        case .busy: word("trouble.busy")
        case .suspended(nil): word("trouble.suspended")
        case .suspended(_?): word("trouble.suspended-for")
        case .unconfirmed: word("trouble.unconfirmed")
        case .identityTaken: word("trouble.identity")
        case .lastWay: word("trouble.last-way")
        case .noPassword: word("trouble.no-password")
        case .locked: word("trouble.locked")
        case .noSpace: word("trouble.full")
        case .inputOutput(let reason): word("trouble.disk", ["reason": reason])
        case .cancelled: word("trouble.cancelled")
        }
    }
}

extension AccountError.Refusal {
    /// A sentence without its full stop.
    var words: String {
        switch self {
        case .handleLength: word("trouble.handle-length", Handle.lengths.words)
        case .handleEmpty: word("trouble.handle-empty")
        case .handleReserved: word("trouble.handle-reserved")
        case .handleTaken: word("trouble.handle-taken")
        case .handleSame: word("trouble.handle-same")
        case .mailLength: word("trouble.mail-length")
        case .mailLetters: word("trouble.mail-letters")
        case .mailForm: word("trouble.mail-form")
        case .passwordLength: word("trouble.password-length", PasswordHash.lengths.words)
        case .passwordCommon: word("trouble.password-common")
        case .passwordKnown: word("trouble.password-known")
        case .passwordWrong: word("trouble.password-wrong")
        case .ownerStays: word("trouble.owner-stays")
        case .nameLength: word("trouble.name-length", ["most": "\(Accounts.longestName)"])
        case .bioLength: word("trouble.bio-length", ["most": "\(Accounts.longestBio)"])
        case .pictureMissing: word("trouble.picture-missing")
        case .pictureSize: word("trouble.picture-size")
        case .picturesOff: word("trouble.picture-off")
        case .pictureOdd(let reason): word("trouble.picture-odd", ["reason": reason])
        }
    }
}

extension ClosedRange<Int> {
    /// Fills in the bounds of a text.
    var words: [String: String] { ["least": "\(lowerBound)", "most": "\(upperBound)"] }
}
