internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

extension ClaimRefusal {
    /// For people and programs alike, in the visitor's language.
    var problem: Problem {
        switch self {
        case .notFound: .noListing
        case .own: Problem(.forbidden, "own", word("claim.refused.own"))
        case .ended: Problem(.gone, "gone", word("claim.refused.ended"))
        case .frozen: Problem(.conflict, "frozen", word("claim.refused.frozen"))
        case .already: Problem(.conflict, "already-claimed", word("claim.refused.already"))
        case .enough:
            Problem(.conflict, "already-claimed", word("claim.refused.enough", count: Claim.mostPerListing))
        case .tooOften(let seconds):
            Problem(
                .tooManyRequests, "too-often",
                word(
                    "claim.refused.often",
                    ["count": "\(Claim.mostPerDay)", "wait": Wording.spoken(Double(seconds))]), retryAfter: seconds)
        case .strangers(let seconds): .manyStrangers(seconds)
        case .empty: .notTaken(["answer": word("claim.refused.empty")])
        case .tooLong: .notTaken(["answer": word("claim.refused.long", ["most": "\(Claim.longestAnswer)"])])
        case .notYours: .notTaken(["clip": word("claim.refused.clip")])
        case .taken: Problem(.conflict, "claim-decided", word("claim.refused.taken"))
        case .decided(let state):
            Problem(.conflict, "claim-decided", word("claim.refused.decided", ["state": state.words]))
        }
    }
}

extension Claim.State {
    var words: String {
        switch self {
        case .open: word("claim.state.open")
        case .accepted: word("claim.state.accepted")
        case .refused: word("claim.state.refused")
        case .withdrawn: word("claim.state.withdrawn")
        }
    }
}

extension Claim.State {
    /// What the claimant is told, politely.
    var told: HTML {
        switch self {
        case .open: "<p>\(word("claim.waits"))</p>"
        case .accepted: "<p>\(word("claim.accepted"))</p>"
        case .refused: "<p>\(word("claim.refused"))</p>"
        case .withdrawn: .nothing
        }
    }
}

extension Claim.Kind {
    var words: String {
        switch self {
        case .mine: word("claim.mine")
        case .seen: word("claim.seen")
        }
    }
}

extension Problem {
    /// Somebody has written to, or claimed from, as many strangers as a day has (LF-5).
    static func manyStrangers(_ seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "too-often",
            word(
                "swindle.strangers", ["count": "\(StrangerLetters.most)", "wait": Wording.spoken(Double(seconds))]),
            retryAfter: seconds)
    }
}
