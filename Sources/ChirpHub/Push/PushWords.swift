internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpPush
internal import ChirpWeb
internal import FoundationEssentials

/// What a browser shows of something that it is told. It names who did it and says what kind of thing it was, and nothing that was
/// written: it stands on locked screens, and waits at somebody else's service.
struct PushWords: Encodable {
    let title: String
    let body: String
    /// Where a press leads, without what links begin with.
    let path: String
    /// A later one of the same tag takes its place on the screen.
    let tag: String
    let lang: String

    /// - Parameter host: says of which hub it comes.
    init(_ push: Push, host: String) {
        let language = Language(rawValue: push.browser.language) ?? .english
        title = Language.$current.withValue(language) { Self.sentence(push) }
        body = host
        path = push.path
        tag = PushMessage.topic(of: push.cause)
        lang = language.rawValue
    }

    private static func sentence(_ push: Push) -> String {
        let who = ["who": "@\(push.actor)"]
        // By their names in the tables: kinds of a later release are told too.
        switch push.kind {
        case "mention" where !push.actor.isEmpty: return word("letters.mention", who)
        case "follow" where !push.actor.isEmpty: return word("letters.follow", who)
        case "favourite" where !push.actor.isEmpty: return word("letters.favourite", who)
        case "comment" where !push.actor.isEmpty: return word("letters.comment", who)
        case Notice.Kind.moderation.rawValue: return word("letters.decided-subject")
        case "claim": return word("push.claim")
        case "match": return word("push.match")
        case "alert": return word("push.alert")
        case "ending": return word("push.ending")
        case "listing": return word("push.listing")
        case "record" where !push.actor.isEmpty: return word("letters.record", who)
        case "verified": return word("choices.verified")
        case "rejected": return word("choices.rejected")
        case "event": return word("choices.event")
        case "bid": return word("letters.bid")
        case "request": return word("letters.request")
        case "connection" where !push.actor.isEmpty: return word("letters.connection", who)
        case "cards_taken": return word("letters.cards-taken")
        case "cards_refused": return word("letters.cards-refused")
        default: return word("push.something")
        }
    }

    /// Why somebody's device is woken: for people who write, not for those who like.
    static func urgency(_ push: Push) -> PushMessage.Urgency {
        ["follow", "favourite", "ending"].contains(push.kind) ? .low : .normal
    }
}
