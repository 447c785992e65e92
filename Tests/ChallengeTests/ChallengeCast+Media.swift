import ChirpAccounts
import ChirpBoards
import ChirpCommunity
import ChirpCore
import ChirpMusic
import ChirpRecords
import ChirpStores
import Foundation
import HubHousehold
import Testing

/// What people send with attempts.
extension ChallengeCast {
    private static let quota = ByteCount(Int64(1_000_000))

    /// A film that is being sent.
    func film(of owner: AccountID, timer: Int? = nil) async throws -> HubID {
        var wishes = MediaItem.Wishes()
        wishes.film = MediaItem.Film(timer: timer)
        let item = try await library.beginUpload(wishes, bytes: 3, of: owner, quota: Self.quota)
        try Data([1, 2, 3]).write(to: URL(filePath: library.uploads.file(item.id)))
        return item.id
    }

    /// All of it is here.
    func receive(_ film: HubID) async throws { #expect(try await library.completeUpload(film)) }

    /// What is shown of it was made.
    func ready(_ film: HubID, hasSound: Bool = true, hasPictures: Bool = true) async throws {
        let timer = try await library.film(film)?.timer
        try library.films.keep(library.uploads.file(film), as: film)
        let facts = HubFilm.Facts(
            milliseconds: 2000, width: hasPictures ? 640 : 0, height: hasPictures ? 360 : 0, hasSound: hasSound,
            hasTimer: timer != nil && hasPictures)
        var files: [MadeFilm.File] = []
        for file in HubFilm.File.allCases where facts.has(file) {
            let content = Array("the \(file.rawValue)".utf8)
            if file != .original { try Data(content).write(to: URL(filePath: library.films.file(film, file))) }
            let payload = try house.payload(content)
            files.append(MadeFilm.File(name: file, bytes: payload.bytes, sha256: payload.sha256))
        }
        #expect(try await library.finish(film, as: MadeFilm(facts: facts, files: files), quota: Self.quota))
    }

    /// A clip that nobody hears yet.
    func clip(of owner: AccountID) async throws -> HubID {
        let (id, content) = (HubID(), Array("sound".utf8))
        try Data(content).write(to: URL(filePath: library.media.file(id)))
        let payload = try house.payload(content)
        var clip = HubClip(
            id: id, title: "A take", fileName: "take.mp3", contentType: "audio/mpeg", bytes: payload.bytes,
            sha256: payload.sha256, sound: HubSound(seconds: 1), created: house.now, expires: nil, shared: false)
        clip.owner = owner
        #expect(try await library.insert(clip) == nil)
        return id
    }

    /// An attempt whose video is awaited.
    func filmed(_ film: HubID, at challenge: HubID, by account: AccountID, score: String = "60") async throws -> HubID {
        let attempt = try await attempt(score, at: challenge, by: account) { $0.media = [.video] }
        try await attempts.attach(
            AttemptRecording(film: film), code: AttemptCode(4711), to: attempt, by: account)
        return attempt
    }

    /// Somebody listens who says this, or fails.
    func work(_ find: @escaping @Sendable () throws(BoardHearing.Failure) -> SoundFindings) -> AttemptMediaWork {
        AttemptMediaWork(attempts, hearing: BoardHearing { (_, _) throws(BoardHearing.Failure) in try find() })
    }
}
