package import ChirpCommunity
package import FoundationEssentials

/// Somebody's try at a challenge: a score, and what shows it.
package struct Attempt: Hashable, Sendable, Identifiable {
    package let id: HubID
    /// Its place among all attempts; later ones have greater numbers.
    package let sequence: Int64
    package let challenge: HubID
    /// ``Rule/id`` and ``Rule/version`` of what it is judged by.
    package let rule: Int64
    package let version: Int
    /// Nil for whom the viewer does not see.
    package let person: PostAuthor?
    /// It is the viewer's own.
    package let isOwn: Bool
    /// In the last places of its rule's unit.
    package let score: Int64
    /// Plain text.
    package let text: String
    /// When it was done, as its author says.
    package let done: Date
    /// When the hub had all of it; nil until then. Records go by this.
    package let received: Date?
    package let media: Set<RuleTerms.Evidence>
    package let place: RecordPlace?
    package let state: State
    /// What was found in its media by machine, as JSON.
    package let findings: String
    /// Why its author does not accept that it was rejected; for her and who decides. Nil when she has not appealed.
    package let appeal: String?
    /// When it was verified or rejected.
    package let decided: Date?

    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Its media are being sent.
        case receiving
        /// A machine looks at them.
        case checking
        /// For people who are not involved.
        case waiting
        case verified
        case rejected
        /// Its author took it back.
        case withdrawn

        /// One of these a person has at a rule, at most.
        package static let open: Set<State> = [.receiving, .checking, .waiting]
    }

    /// Characters.
    package static let longestText = 1000
    package static let longestReason = 1000
    package static let longestPlace = 120
    /// Bytes of what tells one try to hand in from another.
    package static let longestKey = 200
    /// Bytes of JSON.
    package static let longestFindings = 64_000
    /// How many somebody begins in 24 hours.
    package static let mostPerDay = 50
    /// Nobody hands in what was done longer ago than this, in seconds.
    static let farthestPast = 10 * 365.25 * 86_400
    /// By so many seconds the clock of who hands in may be ahead.
    static let aheadOfTime = 300.0
    /// Farther than this, in metres, from the place of a challenge nothing is done there: a telephone's position indoors is wrong by a hundred.
    static let farthestFromPlace = 500.0
    /// What is not sent whole after so many seconds is taken for taken back.
    package static let patience = 24 * 3600.0
    /// For so many seconds after it was rejected its author may appeal.
    package static let appealTime = 14 * 24 * 3600.0
}

/// What somebody hands in.
package struct AttemptDraft: Hashable, Sendable {
    /// As she typed it.
    package var score: String
    package var text = ""
    package var done: Date
    /// Which kinds of evidence she sends with it.
    package var media: Set<RuleTerms.Evidence> = []
    /// Where she did it; nil: it counts for the world alone, or for the place of the challenge where it can be done there alone.
    package var spot: AttemptSpot?
    /// The version of the rule that she has read.
    package var version: Int

    package init(score: String, done: Date, version: Int) {
        self.score = score
        self.done = done
        self.version = version
    }
}

/// What an attempt is made of, by the names that forms and programs use.
package enum AttemptField: String, Hashable, Sendable, CaseIterable {
    case score, text, done, media, place
    /// What is the same for every try to hand in the same.
    case key
    /// Of acts.
    case reason
}

/// What is wrong with a field.
package enum AttemptFault: Hashable, Sendable {
    case score(ScoreFault)
    case missing
    case tooLong(most: Int)
    case inFuture
    case longAgo
    /// Not between begin and end of the event.
    case outsideEvent(begins: Date, ends: Date)
    /// Nobody could judge it without these.
    case needs(Set<RuleTerms.Evidence>)
    /// So many metres from the place of the challenge.
    case elsewhere(metres: Int)
}

/// Why an attempt was not taken, or did not change its state.
package enum AttemptRefusal: Error, Hashable, Sendable {
    case fields([AttemptField: AttemptFault])
    /// There is no such challenge or attempt for who asks.
    case notFound
    /// Suspended, closed or not confirmed.
    case noAccount
    /// The challenge has ended.
    case ended(Item.State)
    /// There is another version of the rule now.
    case changed(version: Int)
    case notBegun(Date)
    /// The event is over, and so is the time to hand in.
    case over(Date)
    /// She has one at that rule that is not decided yet.
    case already
    case tooOften(seconds: Int)
    /// It is in a state that this does not begin in.
    case state(Attempt.State)
    /// She is neither a moderator nor somebody who verifies here.
    case notAllowed
    /// She has to do with it (OU-20).
    case involved(Involvement.Tie)
    /// She has said what she thinks of it; twice counts once.
    case decidedAlready
    /// It was appealed before, or the time for it is over, or it was no person that rejected it.
    case noAppeal
    case library(LibraryError)

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as AttemptRefusal: self = error
        case let error as LibraryError: self = .library(error)
        case ItemRefusal.library(let error): self = .library(error)
        case is ItemRefusal: self = .notFound
        default: self = .library(.inputOutput(path: Records.board, reason: "\(error)"))
        }
    }
}
