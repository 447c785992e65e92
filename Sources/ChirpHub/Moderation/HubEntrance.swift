internal import ChirpAccounts
internal import ChirpCommunity

/// Who comes in, and what those who have just come may do: what the owner has set, or else the configuration.
struct HubEntrance: Sendable {
    let library: HubLibrary
    /// What the configuration says.
    let configured: Registration
    /// How many posts of an account wait for a moderator's look. None unless it is set: a hub where nobody looks would otherwise swallow
    /// what its people say first.
    let holdFirstPosts: Int
    let scale: Double

    /// Who may sign up now.
    func registration() async throws(AccountError) -> Registration {
        do throws(LibraryError) { return try await library.registration(configured: configured).now } catch {
            throw .inputOutput(reason: error.whatHappened)
        }
    }

    /// The same for somebody at an address, from which nobody may sign up, perhaps.
    func registration(from address: String) async throws(AccountError) -> Registration {
        do throws(LibraryError) {
            if try await library.isBanned(address: address) { return .closed }
        } catch { throw .inputOutput(reason: error.whatHappened) }
        return try await registration()
    }

    /// What new accounts may post.
    var policy: PostingPolicy { PostingPolicy(heldFirst: holdFirstPosts, scale: scale) }

    /// How often people may report.
    var reports: ReportRules {
        var rules = ReportRules()
        rules.scale = scale
        return rules
    }
}
