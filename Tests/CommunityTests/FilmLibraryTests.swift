import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpDatabase
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Films in a library: how far they are, whose they are, who sees them, what they count and when they go (OU-14).
@Suite struct FilmLibraryTests {
    private let house: HubHousehold
    private let quota = ByteCount(Int64(10_000))

    /// A board's table that names films.
    private static let feats = BoardTables(
        name: "feats",
        steps: [SchemaStep("feats-001", "CREATE TABLE feats (film TEXT REFERENCES films (id)) STRICT;")])

    init() throws { house = try HubHousehold(boards: [Self.feats]) }

    /// Begins one of a hundred bytes.
    private func begin(_ owner: AccountID, timer: Int? = nil) async throws -> HubID {
        var wishes = MediaItem.Wishes()
        wishes.film = MediaItem.Film(timer: timer)
        return try await house.library.beginUpload(wishes, bytes: 100, of: owner, quota: quota).id
    }

    /// The last byte is here.
    private func receive(_ id: HubID) async throws {
        try Data([UInt8](repeating: 7, count: 100)).write(to: URL(filePath: house.library.uploads.file(id)))
        #expect(try await house.library.completeUpload(id))
    }

    /// What was made of it, in its place.
    private func made(_ id: HubID, bytes: Int = 50, hasSound: Bool = true) throws -> MadeFilm {
        try house.library.films.keep(house.library.uploads.file(id), as: id)
        var files: [MadeFilm.File] = []
        // There is no timer, and so no copy without it.
        for file in HubFilm.File.allCases where (hasSound || file != .sound) && file != .plain {
            let path = house.library.films.file(id, file)
            if file != .original { try Data([UInt8](repeating: 1, count: bytes)).write(to: URL(filePath: path)) }
            let content = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let payload = try house.payload(content)
            files.append(MadeFilm.File(name: file, bytes: payload.bytes, sha256: payload.sha256))
        }
        return MadeFilm(
            facts: HubFilm.Facts(milliseconds: 2000, width: 640, height: 360, hasSound: hasSound, hasTimer: false),
            files: files)
    }

    private func ready(_ owner: AccountID) async throws -> HubID {
        let id = try await begin(owner)
        try await receive(id)
        #expect(try await house.library.finish(id, as: made(id), quota: quota))
        return id
    }

    private func item(of account: AccountID, state: String = "open") async throws -> HubID {
        let id = HubID()
        try await house.change(
            """
            INSERT INTO items (id, board, kind, key, account, title, text, category, tags, facets, state, created, changed)
            VALUES ('\(id)', 'b', 'k', '\(id)', '\(account)', 'A feat', '', '', '', '', '\(state)', 0, 0);
            """)
        return id
    }

    /// As a board says it.
    private func show(_ film: HubID, with item: HubID, isShown: Bool = true) async throws {
        try await house.change(
            """
            INSERT INTO itemFilms (film, item, shown) VALUES ('\(film)', '\(item)', \(isShown ? 1 : 0))
            ON CONFLICT (film) DO UPDATE SET shown = excluded.shown
            """)
    }

    private func sees(_ viewer: Viewer, _ id: HubID) async throws -> Bool {
        try await house.library.seen(by: viewer).film(id, .shown) != nil
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: house.folder.path("hub/films")).sorted()
    }

    @Test func `a film is received, checked and ready, and says so`() async throws {
        let ann = try await house.person("ann")
        let id = try await begin(ann, timer: 1500)
        var film = try #require(try await house.library.film(id))
        #expect(film.state == .receiving && film.owner == ann && film.timer == 1500 && film.facts == nil)
        try await receive(id)
        #expect(try await house.library.film(id)?.state == .checking)
        let all = try made(id)
        #expect(try await house.library.finish(id, as: all, quota: quota))
        film = try #require(try await house.library.film(id))
        #expect(film.state == .ready && film.facts?.milliseconds == 2000 && film.bytes == 300)
        #expect(try await house.library.room(of: ann, quota: quota).used == ByteCount(Int64(300)))
        #expect(try await house.library.mediaItem(id, of: ann)?.state == .ready)
        #expect(try names().count == 5)
        #expect(!FileManager.default.fileExists(atPath: house.library.uploads.file(id)))
        // What was sent is kept byte for byte, and shown to nobody, not even to whom it belongs.
        #expect(try Data(contentsOf: URL(filePath: house.library.films.file(id, .original))).count == 100)
        for viewer in [Viewer.member(ann), .owner, .visitor] {
            #expect(try await house.library.seen(by: viewer).film(id, .original) == nil)
        }
        // What was finished is finished.
        #expect(try await !house.library.finish(id, as: all, quota: quota))
    }

    @Test func `a film that is refused says why, and one that is given up too`() async throws {
        let ann = try await house.person("ann")
        let (bad, left) = (try await begin(ann), try await begin(ann))
        try await receive(bad)
        try await house.library.refuse(bad, because: "it is no film")
        #expect(try await house.library.film(bad)?.why == "it is no film")
        #expect(try await house.library.removeUpload(left, of: ann))
        let film = try #require(try await house.library.film(left))
        #expect(film.state == .refused && film.why == "its upload was given up")
        #expect(try await house.library.sweep(at: house.now).films == 0)
        #expect(try await house.library.sweep(at: house.now.addingTimeInterval(90_000)).films == 2)
    }

    @Test func `a film that is more than the share is not kept`() async throws {
        let ann = try await house.person("ann")
        let id = try await begin(ann)
        try await receive(id)
        await #expect(throws: UploadRefusal.overQuota(limit: quota, free: quota)) {
            try await house.library.finish(id, as: made(id, bytes: 3000), quota: quota)
        }
        #expect(try await house.library.film(id)?.state == .checking)
    }

    @Test func `a film is seen by those who see what it is shown with`() async throws {
        let (ann, bob) = (try await house.person("ann"), try await house.person("bob"))
        let (eve, mod) = (try await house.person("eve"), try await house.person("mod", role: "moderator"))
        let film = try await ready(ann)
        #expect(try await sees(.member(ann), film))
        #expect(try await sees(.member(mod), film))
        #expect(try await !sees(.member(bob), film))
        #expect(try await !sees(.visitor, film))
        // With a challenge of somebody else's.
        let challenge = try await item(of: bob)
        try await show(film, with: challenge, isShown: false)
        #expect(try await !sees(.visitor, film))
        #expect(try await !sees(.member(bob), film))
        try await show(film, with: challenge)
        #expect(try await sees(.visitor, film))
        #expect(try await sees(.member(bob), film))
        #expect(try await sees(.member(eve), film))
        #expect(try await house.library.seen(by: .visitor).film(film, .poster)?.isPublic == true)
        try await house.library.block(eve, by: ann)
        #expect(try await !sees(.member(eve), film))
        for state in ["draft", "withdrawn"] {
            try await house.change("UPDATE items SET state = '\(state)'")
            #expect(try await !sees(.visitor, film), "\(state)")
            #expect(try await !sees(.member(eve), film), "\(state)")
        }
        try await house.change("UPDATE items SET state = 'open', hidden = 1")
        #expect(try await !sees(.visitor, film))
        #expect(try await house.library.seen(by: .member(bob)).film(film, .shown)?.isPublic == false)
        try await house.change("UPDATE items SET hidden = 0; UPDATE accounts SET state = 'closed' WHERE id = '\(ann)'")
        #expect(try await !sees(.visitor, film))
        #expect(try await !sees(.member(bob), film))
    }

    @Test func `what nothing uses goes after a day, what a board's table names stays`() async throws {
        let (ann, bob) = (try await house.person("ann"), try await house.person("bob"))
        let (used, unused, other) = (try await ready(ann), try await ready(ann), try await ready(bob))
        try await show(used, with: try await item(of: ann))
        try await house.change("INSERT INTO feats VALUES ('\(other)')")
        let later = house.now.addingTimeInterval(HubLibrary.unusedFilmPatience + 1)
        #expect(try await house.library.sweep(at: later).films == 1)
        #expect(try await house.library.film(unused) == nil)
        #expect(try await house.library.film(used) != nil)
        #expect(try await house.library.film(other) != nil)
        #expect(try await !house.library.removeFilm(other, of: bob))
        try await house.change("DELETE FROM feats")
        #expect(try await !house.library.removeFilm(other, of: ann))
        #expect(try await house.library.removeFilm(other, of: bob))
        try await house.change("PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id = '\(ann)'")
        #expect(try await house.library.film(used) == nil)
        // Files without a row stay an hour by the clock of the disk.
        #expect(try await house.library.sweep(at: Date().addingTimeInterval(4000)).strays >= 1)
        #expect(try names().isEmpty)
    }

    @Test func `a backup has films, and an export has what was sent`() async throws {
        let ann = try await house.person("ann")
        let (film, lost) = (try await ready(ann), try await ready(ann))
        let waiting = try await begin(ann)
        try FileManager.default.removeItem(atPath: house.library.films.file(lost, .poster))
        let folder = house.folder.path("hub")
        #expect(try await LibraryCheck(folder: folder).run(readsClips: true).missing == ["\(lost)-poster.jpg"])
        let target = house.folder.path("hub.tar")
        let report = try await HubBackup(folder: folder, program: "1").write(to: target)
        #expect(report.filmFiles >= 5)
        let goal = house.folder.path("restored")
        _ = try await HubRestore(file: target, folder: goal, boards: [Self.feats]).run()
        let again = try HubLibrary(folder: goal, reserve: ByteCount(Int64(0)), boards: [Self.feats])
        #expect(try await again.seen(by: .member(ann)).film(film, .shown)?.file.size == 50)
        #expect(try await again.film(lost) == nil)
        #expect(try await again.film(waiting)?.state == .refused)
        #expect(try await LibraryCheck(folder: goal).run(readsClips: true).missing.isEmpty)

        let export = try await house.library.export(of: ann)
        #expect(Set(export.films) == [film, lost] && export.documents.contains { $0.name == "films.json" })
        var tape = ExportTape(export, library: house.library, at: house.now)
        var bytes: [UInt8] = []
        while let piece = try await tape.next() { bytes += piece }
        #expect(bytes.firstRange(of: Array("films/\(film)-original.film".utf8)) != nil)
    }
}
