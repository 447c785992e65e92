internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb

/// What a letter says, in the language of this moment.
struct LetterWords {
    let subject: String
    let lines: [String]

    /// - Parameter publicURL: what links begin with. Never the name that a request was sent to, which anybody can choose.
    init(_ letter: AccountLetter, publicURL: String) {
        let pages = HubPages(publicURL: publicURL)
        let hub = ["hub": publicURL]
        switch letter {
        case .confirm(_, let link):
            subject = word("letters.confirm-subject")
            lines = [
                word("letters.probably", hub), "", word("letters.confirm-how"), "", pages.confirm(link), "",
                word("letters.once"),
            ]
        case .alreadyHere:
            subject = word("letters.here-subject")
            lines = [
                word("letters.here-who", hub), "", word("letters.here-how", ["page": pages.reset]), "",
                word("letters.not-you"),
            ]
        case .reset(_, let link):
            subject = word("letters.reset-subject")
            lines = [
                word("letters.reset-who", hub), "", word("letters.reset-how"), "", pages.reset(link), "",
                word("letters.reset-once"),
            ]
        case .deleted:
            subject = word("letters.deleted-subject")
            lines = [word("letters.deleted-text", hub)]
        case .decided(_, let what):
            subject = word("letters.decided-subject")
            let step = Verdict.Step.allCases.first { $0.nameInTable == what }
            lines = [
                word("letters.decided-text", ["hub": publicURL, "what": step?.inLetters ?? what]), "",
                word("letters.decided-why"), "", "\(publicURL)/settings/standing", "", word("letters.decided-closed"),
            ]
        case .noticed(_, let kind, let actor, let path):
            let who = ["who": "@\(actor)"]
            subject =
                switch Notice.Kind(rawValue: kind) {
                case .follow: word("letters.follow", who)
                case .favourite: word("letters.favourite", who)
                case .claim: word("letters.claim", who)
                case .match: word("letters.match")
                case .alert: word("letters.alert")
                case .ending: word("letters.ending")
                case .listing: word("letters.listing")
                case .comment: word("letters.comment", who)
                case .record: word("letters.record", who)
                case .verified: word("choices.verified")
                case .rejected: word("choices.rejected")
                case .event: word("choices.event")
                case .bid: word("letters.bid")
                case .request: word("letters.request")
                case .connection: word("letters.connection", who)
                case .cardsTaken: word("letters.cards-taken")
                case .cardsRefused: word("letters.cards-refused")
                case .mention, .moderation, nil: word("letters.mention", who)
                }
            lines = [
                "\(subject):", "", "\(publicURL)\(path)", "",
                word("letters.choose", ["page": "\(publicURL)/settings/notices"]),
            ]
        case .changed(_, let what):
            subject = word("letters.changed-subject")
            let change = AccountChange(rawValue: what)
            lines = [
                word("letters.changed-text", ["hub": publicURL, "what": change?.words ?? what]), "",
                word("letters.changed-how", ["page": pages.reset]),
            ]
        }
    }
}

extension AccountChange {
    /// Within a sentence.
    fileprivate var words: String {
        switch self {
        case .password: word("letters.password")
        case .mail: word("letters.mail")
        case .handle: word("letters.handle")
        case .authenticatorOn: word("letters.factor-on")
        case .authenticatorOff: word("letters.factor-off")
        case .identities: word("letters.identities")
        case .passkeys: word("letters.passkeys")
        }
    }
}

extension Verdict.Step {
    /// What was decided, within a sentence.
    fileprivate var inLetters: String {
        switch self {
        case .show: word("letters.show")
        case .uphold: word("letters.uphold")
        case .restore: word("letters.restore")
        case .hide: word("letters.hide")
        case .freeze: word("letters.freeze")
        case .notice: word("letters.notice")
        case .warning: word("letters.warning")
        case .limit: word("letters.limit")
        case .suspension: word("letters.suspension")
        case .closing: word("letters.closing")
        case .ban: word("letters.ban")
        }
    }
}
