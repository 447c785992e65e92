internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpFlows

/// Several processes that serve one library: a session is driven by the one to which its browser speaks, and goes with the browser.
///
/// Whoever takes one over writes that down first, and what the one before writes from then on has no effect. That one hears of it as of any
/// change, and lets the browsers go that it has still: they come back by themselves, and are told how everything stands.
extension ListeningDesk {
    /// Takes over all that others drove: one of them has ended, and nobody knows whose sessions it had. A browser that speaks to another process
    /// brings its session back there.
    package func takeOver() async throws(LibraryError) {
        try await ready()
        try await drive(try await store.adopt())
    }

    /// Sees to it that somebody's session is driven here, if she has one.
    func follow(_ account: AccountID) async throws(LibraryError) {
        if let row = try await store.running(of: account) {
            if store.isDriven(row), sessions[row.number] != nil { return }
        } else {
            if let one = byAccount[account].flatMap({ sessions[$0] }), !one.isEnding { letGo(one) }
            return
        }
        // Of requests that come at once the first does it.
        let task = adopting[account] ?? Task { await adopt(account) }
        adopting[account] = task
        if let error = await task.value { throw error }
    }

    private func adopt(_ account: AccountID) async -> LibraryError? {
        defer { adopting[account] = nil }
        do throws(LibraryError) {
            try await drive(try await store.adopt(of: account))
            return nil
        } catch {
            return error
        }
    }

    private func drive(_ rows: [ListeningSession]) async throws(LibraryError) {
        let found = try await running(rows)
        for one in found { enter(one) }
        try await read(isLate: false)
        for one in found { take(.tick, one) }
        for one in found { await settle(one) }
    }

    /// Lets go of what another process drives now.
    func leaveTaken() async throws(LibraryError) {
        guard !sessions.isEmpty else { return }
        let before = Set(sessions.keys)
        let driven = try await store.driven()
        for number in before.subtracting(driven) {
            if let one = sessions[number], !one.isEnding { letGo(one) }
        }
    }

    private func letGo(_ one: RunningSession) {
        leave(one)
        for ear in one.ears.values { ear.end() }
        one.ears = [:]
    }
}
