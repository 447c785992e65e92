import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpCore
import ChirpOrders
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// A library with the board's tables, and people: Pia and Rob produce beats, Ari records opens, Uma listens, Mod moderates.
struct BeatCast {
    let house: HubHousehold
    let pia, rob, ari, uma, mod: AccountID

    var library: HubLibrary { house.library }
    var tracks: TrackStore { TrackStore(library: library) }
    var roles: RoleStore { RoleStore(library: library) }

    private static let quota = ByteCount(Int64(1_000_000))

    init() async throws {
        house = try HubHousehold(boards: [OrderTables.tables, Beats.tables])
        pia = try await house.person("pia")
        rob = try await house.person("rob")
        ari = try await house.person("ari")
        uma = try await house.person("uma")
        mod = try await house.person("mod", role: "moderator")
        for account in [pia, rob] { try await roles.choose([.producer], for: account) }
        try await roles.choose([.artist], for: ari)
    }

    static func facts(
        _ beats: Double? = nil, other: Double? = nil, key: Tonality? = nil, description: [Float] = []
    ) -> TrackFacts {
        var facts = TrackFacts(milliseconds: 61_000)
        facts.loudness = -9.5
        facts.tempo = beats.map { TrackFacts.Tempo(beats: $0, other: other, confidence: 0.9) }
        facts.key = key.map { TrackFacts.Key($0, confidence: 0.8) }
        facts.description = description
        return facts
    }

    /// The last byte of a recording has come.
    func sent(by account: AccountID) async throws -> HubID {
        var wishes = MediaItem.Wishes()
        wishes.film = MediaItem.Film(timer: nil, isTrack: true)
        let item = try await library.beginUpload(wishes, bytes: 3, of: account, quota: Self.quota)
        try Data([1, 2, 3]).write(to: URL(filePath: library.uploads.file(item.id)))
        #expect(try await library.completeUpload(item.id))
        return item.id
    }

    /// It is listened to.
    func hear(_ master: HubID, of account: AccountID, _ facts: TrackFacts) async throws {
        try library.films.keep(library.uploads.file(master), as: master)
        let clip = HubID()
        try Data([9, 9]).write(to: URL(filePath: library.media.file(clip)))
        var preview = HubClip(
            id: clip, title: "A preview", fileName: "preview.mp3", contentType: "audio/mpeg", bytes: 2,
            sha256: try house.payload([9, 9]).sha256, sound: HubSound(seconds: 61, peaks: [10, 200]),
            created: house.now, expires: nil, shared: false)
        preview.owner = account
        let made = MadeTrack(
            milliseconds: facts.milliseconds,
            master: MadeFilm.File(name: .original, bytes: 3, sha256: try house.payload([1, 2, 3]).sha256),
            preview: preview, findings: String(decoding: try JSONEncoder().encode(facts), as: UTF8.self))
        #expect(try await library.finish(master, asTrack: made, quota: Self.quota))
    }

    /// A recording that was listened to.
    func master(of account: AccountID, _ facts: TrackFacts = BeatCast.facts()) async throws -> HubID {
        let id = try await sent(by: account)
        try await hear(id, of: account, facts)
        return id
    }

    /// One in the shop.
    @discardableResult
    func offer(
        _ title: String, by account: AccountID, kind: Track.Kind = .beat, facts: TrackFacts = BeatCast.facts(),
        _ change: (inout TrackDraft) -> Void = { _ in }
    ) async throws -> HubID {
        var draft = TrackDraft(kind: kind, title: title)
        draft.master = try await master(of: account, facts)
        change(&draft)
        return try await tracks.create(draft, by: account, key: title)
    }

    /// One that was listened to, and not written down yet.
    func made(
        _ title: String, by account: AccountID, _ facts: TrackFacts
    ) async throws -> (item: HubID, master: HubID) {
        let master = try await sent(by: account)
        var draft = TrackDraft(kind: .beat, title: title)
        draft.master = master
        let id = try await tracks.create(draft, by: account, key: title)
        try await hear(master, of: account, facts)
        return (id, master)
    }

    func track(_ id: HubID, for viewer: Viewer) async throws -> Track {
        guard case .track(let track) = try await tracks.track(id, for: viewer) else { throw Unexpected() }
        return track
    }

    /// The titles of what a query finds, as a visitor sees it.
    func found(_ narrow: (inout ItemQuery) -> Void) async throws -> [String] {
        var query = ItemQuery(board: Beats.board)
        narrow(&query)
        return try await tracks.tracks(query, for: .visitor).found.map(\.item.title)
    }
}

struct Unexpected: Error {}
