internal import ChirpAccounts

/// What a letter says.
struct LetterWords {
    let subject: String
    let lines: [String]

    /// - Parameter publicURL: what links begin with. Never the name that a request was sent to, which anybody can choose.
    init(_ letter: AccountLetter, publicURL: String) {
        let pages = HubPages(publicURL: publicURL)
        switch letter {
        case .confirm(_, let link):
            subject = "Confirm your address"
            lines = [
                "Somebody, probably you, gave this address at \(publicURL).", "",
                "To confirm that it is yours, open this page and press Confirm:", "",
                pages.confirm(link), "",
                "It works once, for 30 minutes. If it was not you, do nothing.",
            ]
        case .alreadyHere:
            subject = "You have an account already"
            lines = [
                "Somebody, probably you, tried to sign up with this address at \(publicURL).", "",
                "It has an account already. To set a new password, open \(pages.reset)", "",
                "If it was not you, do nothing.",
            ]
        case .reset(_, let link):
            subject = "Set a new password"
            lines = [
                "Somebody, probably you, asked for a new password at \(publicURL).", "",
                "To set it, open this page:", "", pages.reset(link), "",
                "It works once, for 30 minutes. If it was not you, do nothing: nobody else can read this.",
            ]
        case .deleted:
            subject = "Your account was deleted"
            lines = ["Your account at \(publicURL) and all that was in it are gone, as was asked for there."]
        case .decided(_, let what):
            subject = "A moderator has decided"
            lines = [
                "A moderator at \(publicURL) has decided about your account, or about a post of yours: \(what).", "",
                "Why, and how to appeal once, stands here:", "", "\(publicURL)/settings/standing", "",
                "Where the account is closed, signing in shows it.",
            ]
        case .changed(_, let what):
            subject = "Your account was changed"
            lines = [
                "Your account at \(publicURL) was given another setting: \(what) was changed.", "",
                "If it was not you, set a new password now: \(pages.reset)",
            ]
        }
    }
}
