internal import ChirpCommunity
internal import ChirpNetworks
internal import FoundationEssentials
internal import Synchronization

/// Lists of friends while somebody chooses: in memory, for as long as that takes.
final class FriendLists: Sendable {
    struct List: Sendable {
        var friends: [Friend] = []
        /// Leads to the next page; nil when all have come.
        var next: String?
        var hasBegun = false
        var at: Date
    }

    private let lists = Mutex<[FrameDevice.ID: List]>([:])
    private static let longest = 600.0
    private static let most = 20_000

    /// A list with one page more than it had.
    ///
    /// - Parameter restarts: who has come meanwhile is to be seen; a list that is being loaded goes on.
    func more(
        of frame: FrameDevice.ID, _ network: any PersonNetwork, restarts: Bool, now: Date
    ) async throws(NetworkError) -> List {
        var list = lists.withLock { lists in
            lists = lists.filter { abs(now.timeIntervalSince($0.value.at)) < Self.longest }
            return lists[frame] ?? List(at: now)
        }
        if restarts, list.hasBegun, list.next == nil { list = List(at: now) }
        guard !list.hasBegun || list.next != nil else { return list }
        let page: (friends: [Friend], next: String?)
        do throws(NetworkError) { page = try await network.friends(page: list.next) } catch {
            // Of a list that costs more than is left whoever has come can be chosen.
            guard case .overBudget = error, !list.friends.isEmpty else { throw error }
            page = ([], nil)
        }
        list.hasBegun = true
        list.friends += page.friends
        list.next = page.friends.isEmpty || list.friends.count >= Self.most ? nil : page.next
        lists.withLock { [list] in $0[frame] = list }
        return list
    }

    func friend(_ id: String, of frame: FrameDevice.ID) -> Friend? {
        lists.withLock { $0[frame]?.friends.first { $0.account.id.text == id } }
    }

    func forget(_ frame: FrameDevice.ID) { lists.withLock { _ = $0.removeValue(forKey: frame) } }
}
