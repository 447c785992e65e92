internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// What a frame shows.
extension FrameDesk {
    /// A frame as it is told now. One whose person is not there for it any more goes back to the choice.
    func document(_ frame: FrameDevice) async throws -> FrameDocument {
        let frame = try await settled(frame)
        guard frame.network != .hub else { return try await ownDocument(frame) }
        let remote = seal.open(FrameRemote.self, frame.sealed, of: frame.id)
        return FrameDocument(
            frame: frame, account: remote.map(\.handle), vip: remote?.vip?.document, photo: photoPath(frame.photo),
            hasRight: remote?.writing != nil)
    }

    private func ownDocument(_ frame: FrameDevice) async throws -> FrameDocument {
        let account = if let account = frame.account { try await accounts.account(account) } else { nil as HubAccount? }
        var (vip, photo) = (nil as FrameDocument.Person?, frame.photo)
        if let id = frame.vip, let account {
            let reader = library.seen(by: .member(account.id))
            vip = try await reader.people(.these([id]), limit: 1).first.map(Self.person)
            if photo == nil { photo = try await reader.portrait(of: id)?.sha256 }
        }
        return FrameDocument(frame: frame, account: account?.handle.text, vip: vip, photo: photoPath(photo))
    }

    static func person(_ person: PublicPerson) -> FrameDocument.Person {
        FrameDocument.Person(
            id: person.author.id.rawValue, handle: person.author.handle, name: person.author.name)
    }

    /// The address changes with the photo, so a screen that has it asks for no other.
    private func photoPath(_ sha256: String?) -> String? {
        sha256.map { "\(links.prefix)\(Self.base)/photo?v=\($0.prefix(12))" }
    }

    /// Looks for what has come, and sends a frame back to the choice whose person it may not show any more.
    func settled(_ frame: FrameDevice) async throws -> FrameDevice {
        guard frame.network == .hub, frame.step == .watch else { return frame }
        guard try await !library.collect(frame) else { return try await library.frame(frame.id) ?? frame }
        var change = HubLibrary.FrameChange()
        change.step = .friends
        change.vip = .some(nil)
        change.why = frame.vip == nil ? "gone" : "unfollowed"
        change.forgetsUpdates = true
        return try await library.change(frame.id, change) ?? frame
    }

    func document(_ update: FrameUpdate, of frame: FrameDevice) -> FrameUpdateDocument? {
        if let post = update.post {
            return FrameUpdateDocument(
                id: update.id, kind: update.kind, text: PlainText(post.text, limit: 5000).value,
                handle: post.author.handle, name: post.author.name, created: post.created,
                clip: post.clip.map { .init(seconds: $0.sound?.seconds, peaks: $0.sound?.peaks ?? []) },
                isShown: update.isShown)
        }
        guard let said = seal.open(FrameRemote.Said.self, update.sealed, of: frame.id) else { return nil }
        return FrameUpdateDocument(
            id: update.id, kind: update.kind, text: said.text, handle: said.handle, name: said.name,
            created: update.created, clip: said.audio == nil ? nil : .init(seconds: nil, peaks: []),
            isShown: update.isShown)
    }

    /// Some of those whom a frame's account follows, by their handles.
    ///
    /// - Parameter after: the cursor that came with the page before.
    func friends(of frame: FrameDevice, after: String?) async throws -> FrameFriends {
        guard frame.network == .hub else { return try await elsewhere.friends(of: frame, after: after, self) }
        guard let account = frame.account else { throw Self.noFrame(nil) }
        let place = FrameFriends.Place(after)
        let reader = library.seen(by: .member(account))
        let found = try await reader.people(.followed(by: account), behind: place.behind, limit: FrameFriends.page + 1)
        var friends: [FrameFriends.Friend] = []
        for person in found.prefix(FrameFriends.page) {
            let portrait = try await reader.portrait(of: person.author.id)
            friends.append(
                FrameFriends.Friend(
                    person: Self.person(person),
                    photo: portrait.map {
                        "\(links.prefix)/@\(person.author.handle)/picture?v=\($0.sha256.prefix(12))"
                    }))
        }
        let loaded = place.loaded + friends.count
        let last = found.count > FrameFriends.page ? friends.last?.person.handle : nil
        return FrameFriends(
            friends: friends, next: last.map { FrameFriends.Place(loaded: loaded, behind: $0).text }, loaded: loaded)
    }
}

/// One page of the people to choose from.
struct FrameFriends: Sendable {
    struct Friend: Sendable {
        let person: FrameDocument.Person
        let photo: String?
    }

    /// Where a page begins, and how many came before: so a list that is left and opened again goes on counting.
    struct Place {
        var loaded = 0
        /// A handle, or what another network leads on by.
        var behind = ""

        init(loaded: Int, behind: String) { (self.loaded, self.behind) = (loaded, behind) }

        init(_ text: String?) {
            guard let text, text.utf8.count <= 300, let sign = text.firstIndex(of: "~") else { return }
            loaded = text[..<sign].integer(in: 0...1_000_000) ?? 0
            behind = String(text[text.index(after: sign)...])
        }

        var text: String { "\(loaded)~\(behind)" }
    }

    static let page = 50

    let friends: [Friend]
    /// Leads to the next page; nil at the end.
    let next: String?
    let loaded: Int

    func write(_ json: inout JSONText) {
        json.object { json in
            json.field("friends") { json in
                json.array(friends) { json, friend in
                    json.object { json in
                        json.field("id", friend.person.id)
                        json.field("handle", friend.person.handle)
                        json.field("name", friend.person.name)
                        json.field("photo", friend.photo)
                    }
                }
            }
            json.field("next", next)
            json.field("loaded", loaded)
        }
    }
}
