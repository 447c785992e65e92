package import ChirpAccounts
package import ChirpCommunity
internal import Synchronization

/// The sent recordings that wait to be made: the accounts take turns, and one account alone never has all places.
///
/// What rests has no place. Whoever has none yet and adds something waits for what others have begun at most, however much of theirs waits.
package final class MediaQueue: Sendable {
    /// Where something stands that was added and is not over.
    private enum Standing {
        case waiting
        /// It is in hand; more may be wanted of it meanwhile, at once or when it is over.
        case inHand(isWantedAgain: Bool, isUrgent: Bool)
        case resting
    }

    private struct State {
        /// In the order of their turns.
        var accounts: [(owner: AccountID, ids: [HubID])] = []
        /// How many places each has.
        var places: [AccountID: Int] = [:]
        var standings: [HubID: Standing] = [:]
        var ring: AsyncStream<Void>.Continuation?

        mutating func wait(_ id: HubID, of owner: AccountID) {
            standings[id] = .waiting
            if let index = accounts.firstIndex(where: { $0.owner == owner }) {
                accounts[index].ids.append(id)
            } else {
                accounts.append((owner, [id]))
            }
            ring?.yield()
        }

        /// Of the accounts with the fewest places the one that has waited for longest.
        mutating func next(of all: Int) -> (id: HubID, owner: AccountID)? {
            guard places.values.reduce(0, +) < all else { return nil }
            let held = accounts.map { places[$0.owner] ?? 0 }
            guard let least = held.min(), least < max(1, all - 1), let index = held.firstIndex(of: least) else {
                return nil
            }
            var account = accounts.remove(at: index)
            let id = account.ids.removeFirst()
            if !account.ids.isEmpty { accounts.append(account) }
            places[account.owner, default: 0] += 1
            standings[id] = .inHand(isWantedAgain: false, isUrgent: false)
            return (id, account.owner)
        }

        /// - Returns: whether it rests now.
        mutating func leave(_ id: HubID, of owner: AccountID, rests: Bool) -> Bool {
            let held = (places[owner] ?? 1) - 1
            places[owner] = held > 0 ? held : nil
            ring?.yield()
            guard case .inHand(let isWantedAgain, let isUrgent) = standings[id],
                isUrgent || isWantedAgain && !rests
            else {
                standings[id] = rests ? .resting : nil
                return rests
            }
            wait(id, of: owner)
            return false
        }
    }

    private let state = Mutex(State())
    private let places: Int

    /// - Parameter places: 1 or more; with 2 or more, one account has all but one at most.
    package init(places: Int) {
        precondition(places >= 1)
        self.places = places
    }

    /// Adds something once, however often it is added.
    ///
    /// - Parameter isUrgent: something else is wanted of it: it does not go on resting.
    /// - Returns: whether it was not there yet.
    @discardableResult
    package func add(_ id: HubID, of owner: AccountID, isUrgent: Bool = true) -> Bool {
        state.withLock { state in
            switch state.standings[id] {
            case nil:
                state.wait(id, of: owner)
                return true
            case .waiting: break
            case .resting: if isUrgent { state.wait(id, of: owner) }
            case .inHand(_, let wasUrgent):
                state.standings[id] = .inHand(isWantedAgain: true, isUrgent: wasUrgent || isUrgent)
            }
            return false
        }
    }

    /// Takes up what is added until the task is cancelled.
    ///
    /// - Parameter body: one try; how long it rests before the next one, or nil when it is over.
    package func work(
        by clock: any Clock<Duration>, _ body: @escaping @Sendable (HubID) async -> Duration?
    ) async {
        let (bell, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.ring = ring }
        ring.yield()
        await withDiscardingTaskGroup { group in
            for await _ in bell {
                while !Task.isCancelled, let (id, owner) = state.withLock({ $0.next(of: places) }) {
                    group.addTask { [self] in
                        let rest = await body(id)
                        guard state.withLock({ $0.leave(id, of: owner, rests: rest != nil) }), let rest else { return }
                        try? await clock.sleep(for: rest)
                        wake(id, of: owner)
                    }
                }
            }
            group.cancelAll()
        }
    }

    private func wake(_ id: HubID, of owner: AccountID) {
        state.withLock { state in
            if case .resting = state.standings[id] { state.wait(id, of: owner) }
        }
    }
}
