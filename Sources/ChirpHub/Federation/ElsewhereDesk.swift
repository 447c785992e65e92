internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpFediverse
internal import ChirpWeb
internal import Hummingbird

/// Finds people at other servers for those here who may follow them.
struct ElsewhereDesk: Sendable {
    let fediverse: Fediverse
    let limits: RateLimits

    /// How many somebody looks for: each asks a stranger's server.
    private static let searches = RateRule(30, per: 3600)

    /// Whether a text is the name of somebody at another server, as `@ann@example.org`.
    func isElsewhere(_ text: String) -> Bool {
        let parts = text.drop { $0 == "@" }.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[1].contains { $0 == "." || $0 == ":" }
            && parts[1].lowercased() != fediverse.links.host && !text.contains(" ")
    }

    func find(_ name: String, for account: AccountID) async throws(ElsewhereRefusal) -> PostAuthor {
        do {
            if let refusal = try await fediverse.library.mayFollowElsewhere(account) {
                throw ElsewhereRefusal.may(refusal)
            }
            try await limits.consume("elsewhere", Self.searches, by: .account(account))
            return try await fediverse.find(name)
        } catch let refusal as ElsewhereRefusal {
            throw refusal
        } catch let refusal as FindingRefusal {
            throw .finding(refusal)
        } catch let error as AccountError {
            if case .tooOften = error { throw .may(.tooOften) }
            throw .finding(.busy)
        } catch {
            throw .finding(.busy)
        }
    }
}

/// Why somebody elsewhere is not found or not followed.
enum ElsewhereRefusal: Error, Hashable {
    case may(OutwardRefusal)
    case finding(FindingRefusal)

    var sentence: String {
        switch self {
        case .may(.notOn): word("elsewhere.not-on")
        case .may(.tooMany): word("elsewhere.too-many", ["most": "\(HubLibrary.mostFollowedElsewhere)"])
        case .may(.tooOften): word("elsewhere.too-often")
        case .finding(.noName): word("elsewhere.no-name")
        case .finding(.isHere): word("elsewhere.is-here")
        case .finding(.notLet(let host)): word("elsewhere.not-let", ["server": host])
        case .finding(.notFound(let why)): word("elsewhere.not-found", ["why": why])
        case .finding(.busy): word("elsewhere.busy")
        }
    }

    /// For programs.
    var problem: Problem { .refused(sentence, field: "acct") }
}
