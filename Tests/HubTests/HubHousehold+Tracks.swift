import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpCore
import ChirpStores
import Foundation
import HubHousehold
import Testing

extension HubHousehold {
    /// Whoever has a token is a producer, and has sent a recording that was listened to.
    ///
    /// - Returns: the field that names it.
    func producer(token: String) async throws -> [String: String] {
        guard let token = OpaqueToken(shown: token), let account = try await accounts.holder(of: token)?.account?.id
        else {
            return [:]
        }
        try await change("INSERT OR IGNORE INTO beatRoles (account, role, since) VALUES ('\(account)', 'producer', 0)")
        return ["master": "\(try await track(of: account))"]
    }

    /// A recording that somebody has sent and that was listened to.
    func track(of account: AccountID, _ facts: TrackFacts = TrackFacts(milliseconds: 60_000)) async throws -> HubID {
        let quota = ByteCount(Int64(1_000_000))
        let id = try await sendTrack(of: account)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: library.uploads.file(id))))
        try library.films.keep(library.uploads.file(id), as: id)
        let (master, preview) = (try payload(bytes), try payload([9, 9, 9]))
        let clip = HubID()
        try Data([9, 9, 9]).write(to: URL(filePath: library.media.file(clip)))
        var heard = HubClip(
            id: clip, title: "A preview", fileName: "preview.mp3", contentType: "audio/mpeg", bytes: preview.bytes,
            sha256: preview.sha256, sound: HubSound(seconds: 60, peaks: [1, 200, 30]), created: now, expires: nil,
            shared: false)
        heard.owner = account
        let made = MadeTrack(
            milliseconds: facts.milliseconds,
            master: MadeFilm.File(name: .original, bytes: master.bytes, sha256: master.sha256), preview: heard,
            findings: String(decoding: try JSONEncoder().encode(facts), as: UTF8.self))
        #expect(try await library.finish(id, asTrack: made, quota: quota))
        return id
    }

    /// One whose last byte has just come.
    func sendTrack(of account: AccountID, _ bytes: [UInt8] = [1, 2, 3]) async throws -> HubID {
        var wishes = MediaItem.Wishes()
        wishes.film = MediaItem.Film(timer: nil, isTrack: true)
        wishes.fileName = "beat.wav"
        let item = try await library.beginUpload(
            wishes, bytes: Int64(bytes.count), of: account, quota: ByteCount(Int64(1_000_000)))
        try Data(bytes).write(to: URL(filePath: library.uploads.file(item.id)))
        #expect(try await library.completeUpload(item.id))
        return item.id
    }
}
