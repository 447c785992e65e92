internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import Synchronization

/// Takes in films that come with a form, as an upload of one piece. What is shown of them is made afterwards, where it can do no harm.
final class BoardFilms: Sendable {
    /// Boards are there before uploads are, which tell them of what has come.
    private let desk = Mutex<UploadDesk?>(nil)

    func come(to desk: UploadDesk) { self.desk.withLock { $0 = desk } }

    /// - Returns: the id of a film that is checked still.
    /// - Throws: ``Problem`` with the reason.
    func take(_ film: SentFile, of owner: AccountID) async throws -> HubID {
        try await take(film, as: MediaItem.Film(timer: nil), named: "video", of: owner)
    }

    /// The same for a track.
    func take(track: SentFile, named name: String, of owner: AccountID) async throws -> HubID {
        try await take(track, as: MediaItem.Film(timer: nil, isTrack: true), named: name, of: owner)
    }

    private func take(
        _ film: SentFile, as kind: MediaItem.Film, named name: String, of owner: AccountID
    ) async throws -> HubID {
        guard let desk = desk.withLock({ $0 }) else { throw UploadDesk.problem(.nothing) }
        var wishes = MediaItem.Wishes()
        wishes.kind = .clip
        wishes.film = kind
        wishes.fileName = name
        let person = Person(id: owner.rawValue, handle: "", role: .member, isActive: true)
        let item = try await desk.begin(wishes, length: Int64(film.count), by: person)
        let writing = try await desk.write(item, at: 0, isToBeChecked: false)
        try await film.pieces { try await writing.write([$0]) }
        _ = try await writing.end(keepsAll: true)
        return item.id
    }
}
