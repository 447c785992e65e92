internal import ChirpCommunity
internal import ChirpCore
internal import ChirpHTTP
internal import ChirpNetworks
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Choosing whom a frame shows, among those whom its account follows there.
extension FrameNetworks {
    /// Some of those whom the account follows. A server has no order: so while the list loads pages have nobody on them and say how many
    /// have come, and then all come by their handles.
    func friends(of frame: FrameDevice, after: String?, _ desk: FrameDesk) async throws -> FrameFriends {
        guard let remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id),
            let network = network(remote, of: frame.id, desk)
        else { throw FrameDesk.noFrame(nil) }
        let list = try await answering(frame, desk) { () throws(NetworkError) in
            try await friendLists.more(of: frame.id, network, restarts: after == nil, now: desk.library.now())
        }
        guard list.next == nil else {
            return FrameFriends(
                friends: [], next: FrameFriends.Place(loaded: list.friends.count, behind: "").text,
                loaded: list.friends.count)
        }
        let behind = FrameFriends.Place(after).behind
        let all = list.friends.sorted { $0.account.handle.lowercased() < $1.account.handle.lowercased() }
        let first = behind.isEmpty ? 0 : (all.firstIndex { $0.account.handle == behind }.map { $0 + 1 } ?? 0)
        let page = all[first...].prefix(FrameFriends.page)
        let last = page.endIndex < all.endIndex ? page.last : nil
        return FrameFriends(
            friends: page.map { friend in
                FrameFriends.Friend(
                    person: Self.person(friend).document,
                    photo: FrameFaces.path(of: friend.account.id.text, friend.picture, desk))
            },
            next: last.map { FrameFriends.Place(loaded: all.count, behind: $0.account.handle).text },
            loaded: all.count)
    }

    /// Where the picture of somebody lies who can be chosen now.
    func picture(of person: String, amongFriendsOf frame: FrameDevice.ID) -> String? {
        friendLists.friend(person, of: frame)?.picture
    }

    private static func person(_ friend: Friend) -> FrameRemote.Person {
        FrameRemote.Person(
            id: friend.account.id.text, handle: friend.account.handle, name: friend.account.displayName,
            picture: friend.picture)
    }

    /// Shows somebody from there. What she has posted lately can be looked at, and counts as shown.
    func watch(_ person: String, on frame: FrameDevice, _ desk: FrameDesk) async throws -> FrameDevice? {
        guard var remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id),
            let network = network(remote, of: frame.id, desk)
        else { throw FrameDesk.noFrame(nil) }
        let id = Account.ID(person)
        let found = try await answering(frame, desk) { () throws(NetworkError) in
            var list = try await friendLists.more(
                of: frame.id, network, restarts: false, now: desk.library.now())
            while list.next != nil {
                list = try await friendLists.more(
                    of: frame.id, network, restarts: false, now: desk.library.now())
            }
            return list.friends.first { $0.account.id == id }
        }
        guard let found else { return nil }
        remote.vip = Self.person(found)
        var change = HubLibrary.FrameChange()
        change.step = .watch
        change.sealed = .some(desk.seal.close(remote, of: frame.id))
        change.why = .some(nil)
        change.cursor = .some(nil)
        change.forgetsUpdates = true
        guard let changed = try await desk.library.change(frame.id, change) else { return nil }
        // What cannot be had now comes with the watcher's first look.
        _ = try? await FrameWatcher(desk: desk, frame: frame.id).look()
        await picture(of: found.picture, for: changed, desk)
        changes.continuation.yield()
        return try await desk.library.frame(frame.id)
    }

    /// The largest picture of a person that the network has, made anew by the child.
    private func picture(of address: String?, for frame: FrameDevice, _ desk: FrameDesk) async {
        guard let address = address.flatMap({ WebAddress($0) }), let pictures = desk.pictures else { return }
        let request = ChirpHTTP.HTTPRequest(.get, address, sink: .memory(limit: 10_000_000))
        guard let response = try? await transport.send(request), response.isSuccess,
            let jpeg = try? await pictures(response.body)
        else { return }
        _ = try? await desk.library.setPhoto(of: frame.id, to: jpeg, isOwn: false)
    }

    /// Asks, and ends the frame when its sign-in has ended there.
    private func answering<T: Sendable>(
        _ frame: FrameDevice, _ desk: FrameDesk, _ ask: () async throws(NetworkError) -> T
    ) async throws -> T {
        do throws(NetworkError) { return try await ask() } catch {
            if case .signedOut = error {
                try await desk.library.endFrame(frame.id, why: .revoked)
                changes.continuation.yield()
                throw FrameDesk.noFrame(.revoked)
            }
            if case .overBudget = error {
                throw Problem(
                    .unprocessableContent, "not-accepted", word("frame.why.budget"), detail: word("frame.why.budget"))
            }
            throw Problem(
                .serviceUnavailable, "busy", "The other network does not answer now", detail: error.whatHappened,
                retryAfter: 5)
        }
    }
}
