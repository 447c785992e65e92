import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Pictures of things in a library: whose they are, who sees them, what they count and when they go.
@Suite struct PictureLibraryTests {
    private let house: HubHousehold
    private let quota = ByteCount(Int64(10_000))

    init() throws { house = try HubHousehold() }

    private func made(_ byte: UInt8 = 1) throws -> NewPicture {
        func file(_ count: Int, _ width: Int) -> NewPicture.File {
            NewPicture.File(
                jpeg: [0xFF, 0xD8] + [UInt8](repeating: byte, count: count - 2), width: width, height: width / 2)
        }
        let print = try #require(PicturePrint(bits: [UInt8](repeating: byte, count: 32), quality: 90))
        return NewPicture(small: file(100, 320), medium: file(200, 800), large: file(700, 1600), print: print)
    }

    /// Lists something with a picture.
    private func list(_ picture: HubID, of account: AccountID, state: String = "open") async throws {
        let id = HubID()
        try await house.change(
            """
            INSERT INTO items (id, board, kind, key, account, title, text, category, tags, facets, state, created, changed)
            VALUES ('\(id)', 'lost-and-found', 'lost', '\(id)', '\(account)', 'A bag', '', 'bags', '', '', '\(state)', 0, 0);
            INSERT INTO itemPictures (item, position, picture)
            SELECT sequence, 0, '\(picture)' FROM items WHERE id = '\(id)';
            """)
    }

    private func sees(_ viewer: Viewer, _ id: HubID) async throws -> Bool {
        try await house.library.seen(by: viewer).picture(id, .small) != nil
    }

    @Test func `a picture has three files and counts against the share`() async throws {
        let ann = try await house.person("ann")
        let picture = try await house.library.addPicture(made(), of: ann, quota: quota)
        #expect(picture.bytes == 1000 && picture.width == 1600 && picture.height == 800)
        #expect(try await house.library.picture(picture.id) == picture)
        #expect(try await house.library.room(of: ann, quota: quota).used == ByteCount(Int64(1000)))
        for (size, bytes) in zip(HubPicture.Size.allCases, [100, 200, 700] as [Int64]) {
            let seen = try await house.library.seen(by: .member(ann)).picture(picture.id, size)
            #expect(seen?.file.size == bytes && seen?.isPublic == false)
        }
        await #expect(throws: UploadRefusal.overQuota(limit: ByteCount(Int64(1500)), free: ByteCount(Int64(500)))) {
            try await house.library.addPicture(try made(), of: ann, quota: ByteCount(Int64(1500)))
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: house.folder.path("hub/pictures"))
        #expect(files.count == 3)
    }

    @Test func `a picture is seen by those who see what it is of`() async throws {
        let (ann, bob) = (try await house.person("ann"), try await house.person("bob"))
        let mod = try await house.person("mod", role: "moderator")
        let picture = try await house.library.addPicture(made(), of: ann, quota: quota).id
        // Nothing is listed with it yet.
        #expect(try await sees(.member(ann), picture))
        #expect(try await sees(.member(mod), picture))
        #expect(try await !sees(.member(bob), picture))
        #expect(try await !sees(.visitor, picture))
        try await list(picture, of: ann, state: "draft")
        #expect(try await !sees(.visitor, picture))
        try await list(picture, of: ann)
        #expect(try await sees(.member(bob), picture))
        #expect(try await house.library.seen(by: .visitor).picture(picture, .large)?.isPublic == true)
        // Hidden, between people who block one another, and taken back.
        try await house.library.block(bob, by: ann)
        #expect(try await !sees(.member(bob), picture))
        try await house.change("UPDATE items SET hidden = 1")
        #expect(try await !sees(.visitor, picture))
        #expect(try await sees(.member(ann), picture))
        try await house.change("UPDATE pictures SET state = 'refused'")
        #expect(try await !sees(.member(ann), picture))
    }

    @Test func `a picture that was sent to another's item is seen as its sender is, not as the item alone`()
        async throws
    {
        let (ann, bob) = (try await house.person("ann"), try await house.person("bob"))
        let (carl, mod) = (try await house.person("carl"), try await house.person("mod", role: "moderator"))
        let own = try await house.library.addPicture(made(), of: bob, quota: quota).id
        try await list(own, of: bob)
        let sent = try await house.library.addPicture(made(2), of: ann, quota: quota).id
        try await house.change("INSERT INTO itemMedia (picture, item, shown) SELECT '\(sent)', id, 1 FROM items")
        for viewer in [.visitor, .member(carl), .member(bob), .member(ann)] as [Viewer] {
            #expect(try await sees(viewer, sent))
        }
        try await house.library.block(ann, by: carl)
        #expect(try await !sees(.member(carl), sent))
        try await house.library.unblock(ann, by: carl)
        try await house.library.block(carl, by: ann)
        #expect(try await !sees(.member(carl), sent))
        #expect(try await sees(.member(bob), sent))
        try await house.change("UPDATE accounts SET state = 'closed' WHERE handle = 'ann'")
        for viewer in [.visitor, .member(carl), .member(bob)] as [Viewer] {
            #expect(try await !sees(viewer, sent), "\(viewer)")
        }
        #expect(try await sees(.member(mod), sent))
    }

    @Test func `somebody else's listing shows no picture of another's`() async throws {
        let (ann, bob) = (try await house.person("ann"), try await house.person("bob"))
        let picture = try await house.library.addPicture(made(), of: ann, quota: quota).id
        try await list(picture, of: bob)
        #expect(try await !sees(.visitor, picture))
        #expect(try await !sees(.member(bob), picture))
    }

    @Test func `what nothing uses goes after a day, what an account leaves goes with it`() async throws {
        let (ann, bob) = (try await house.person("ann"), try await house.person("bob"))
        let used = try await house.library.addPicture(made(), of: ann, quota: quota).id
        let unused = try await house.library.addPicture(made(2), of: ann, quota: quota).id
        let other = try await house.library.addPicture(made(3), of: bob, quota: quota).id
        try await list(used, of: ann)
        try await list(other, of: bob)
        #expect(try await house.library.sweep(at: house.now).pictures == 0)
        let later = house.now.addingTimeInterval(HubLibrary.unusedPicturePatience + 1)
        #expect(try await house.library.sweep(at: later).pictures == 1)
        #expect(try await house.library.picture(unused) == nil)
        #expect(try await house.library.picture(used) != nil)
        try await house.change("PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id = 'id-bob'")
        // Files without a row stay an hour by the clock of the disk.
        #expect(try await house.library.sweep(at: Date().addingTimeInterval(4000)).strays >= 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: house.folder.path("hub/pictures"))
        #expect(files.allSatisfy { $0.hasPrefix(used.text) } && (files.count == 3 || files.isEmpty))
        #expect(try await house.library.picture(other) == nil)
    }

    @Test func `her own unused picture somebody may take away, and nobody else`() async throws {
        let (ann, bob) = (try await house.person("ann"), try await house.person("bob"))
        let picture = try await house.library.addPicture(made(), of: ann, quota: quota).id
        #expect(try await !house.library.removePicture(picture, of: bob))
        try await list(picture, of: ann)
        #expect(try await !house.library.removePicture(picture, of: ann))
        try await house.change("DELETE FROM itemPictures")
        #expect(try await house.library.removePicture(picture, of: ann))
        #expect(try await !sees(.member(ann), picture))
    }

    @Test func `a backup has pictures, and a restored hub shows them`() async throws {
        let ann = try await house.person("ann")
        let picture = try await house.library.addPicture(made(), of: ann, quota: quota).id
        let lost = try await house.library.addPicture(made(2), of: ann, quota: quota).id
        try FileManager.default.removeItem(atPath: house.folder.path("hub/pictures/\(lost)-medium.jpg"))
        #expect(
            try await LibraryCheck(folder: house.folder.path("hub")).run(readsClips: true).missing == [
                "\(lost)-medium.jpg"
            ])
        let target = house.folder.path("hub.tar")
        let report = try await HubBackup(folder: house.folder.path("hub"), program: "1").write(to: target)
        #expect(report.pictureFiles >= 3)
        let goal = house.folder.path("restored")
        _ = try await HubRestore(file: target, folder: goal).run()
        let again = try HubLibrary(folder: goal, reserve: ByteCount(Int64(0)))
        #expect(try await again.seen(by: .member(ann)).picture(picture, .large)?.file.size == 700)
        #expect(try await again.picture(lost) == nil)
        #expect(try await LibraryCheck(folder: goal).run(readsClips: true).missing.isEmpty)
    }

    @Test func `an export has one's own pictures`() async throws {
        let ann = try await house.person("ann")
        let picture = try await house.library.addPicture(made(), of: ann, quota: quota).id
        let export = try await house.library.export(of: ann)
        #expect(export.pictures == [picture] && export.documents.contains { $0.name == "pictures.json" })
        var tape = ExportTape(export, library: house.library, at: house.now)
        var bytes: [UInt8] = []
        while let piece = try await tape.next() { bytes += piece }
        #expect(bytes.firstRange(of: Array("pictures/\(picture).jpg".utf8)) != nil)
    }

    @Test func `prints are written, read and compared`() throws {
        let print = try #require(PicturePrint(bits: (0..<32).map { UInt8($0 * 8) }, quality: 80))
        #expect(PicturePrint(digits: print.digits, quality: 80) == print)
        var bits = print.bits
        bits[0] ^= 0b111
        let other = try #require(PicturePrint(bits: bits, quality: 80))
        #expect(print.distance(to: other) == 3 && print.isLike(other))
        let dull = try #require(PicturePrint(bits: bits, quality: 49))
        let inverse = try #require(PicturePrint(bits: print.bits.map { ~$0 }, quality: 80))
        #expect(!print.isLike(dull) && print.distance(to: inverse) == 256)
        #expect(PicturePrint(digits: "12", quality: 1) == nil && PicturePrint(bits: print.bits, quality: 101) == nil)
    }

    @Test(arguments: ["", "x", "../../etc/passwd", "a-small.jpg", "123456789ABCDEFGHJKLMN-huge.jpg", "-small.jpg"])
    func `what is no name of a file leads to none`(name: String) {
        #expect(PictureFolder.parts(name) == nil)
    }
}
