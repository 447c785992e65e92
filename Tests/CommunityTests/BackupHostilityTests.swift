import ChirpCommunity
import ChirpCore
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Files that are no backups, or that somebody has changed: each is refused, and nothing is left of it.
@Suite struct BackupHostilityTests {
    /// An archive in parts, to be put together wrongly.
    private struct Tape {
        struct Part {
            var name: String
            var content: [UInt8]
            /// What is done to the header when it is there; its checksum is right again afterwards.
            var change: @Sendable (inout [UInt8]) -> Void = { _ in }
        }

        var parts: [Part] = []
        var end = [UInt8](repeating: 0, count: 1024)

        /// Takes apart what `HubBackup` has written.
        init(_ bytes: [UInt8]) throws {
            var offset = 0
            while let header = TapeHeader(Array(bytes[offset..<offset + 512])) {
                let (start, count) = (offset + 512, Int(header.bytes))
                parts.append(Part(name: header.name, content: Array(bytes[start..<start + count])))
                offset = start + count + TapeHeader.padding(after: header.bytes)
            }
            try #require(Array(bytes[offset...]) == end)
        }

        var bytes: [UInt8] {
            var bytes: [UInt8] = []
            for part in parts {
                let count = Int64(part.content.count)
                var block = TapeHeader(name: part.name, bytes: count, time: 0).block
                part.change(&block)
                block.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
                let octal = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
                let sum = String(repeating: "0", count: 6 - octal.count) + octal + "\u{0}"
                block.replaceSubrange(148..<155, with: Array(sum.utf8))
                bytes += block + part.content + [UInt8](repeating: 0, count: TapeHeader.padding(after: count))
            }
            return bytes + end
        }

        /// The manifest as text, to be changed by hand.
        var manifest: String {
            get { String(decoding: parts[0].content, as: UTF8.self) }
            set { parts[0].content = Array(newValue.utf8) }
        }

        func index(_ name: String) throws -> Int { try #require(parts.firstIndex { $0.name == name }) }

        /// Changes a member's content, with a manifest that is right about it.
        mutating func replace(_ name: String, with content: [UInt8], house: HubHousehold) throws {
            let index = try index(name)
            let old = try house.payload(parts[index].content)
            let new = try house.payload(content)
            parts[index].content = content
            manifest = manifest.replacing(old.sha256, with: new.sha256)
                .replacing(
                    "\"bytes\":\(old.bytes),\"name\":\"\(name)\"", with: "\"bytes\":\(new.bytes),\"name\":\"\(name)\"")
        }
    }

    private let house: HubHousehold
    private let clip: String
    private let tape: Tape
    private let whole: [UInt8]

    init() async throws {
        house = try HubHousehold()
        clip = try await house.publish(Array("some sound".utf8))
        try await house.publish([UInt8](repeating: 7, count: 2000))
        let key = [UInt8](repeating: 9, count: 32)
        try Data(key).write(to: URL(filePath: house.folder.path("hub/key")))
        let path = house.folder.path("whole.tar")
        _ = try await HubBackup(folder: house.folder.path("hub"), program: "1").write(to: path)
        whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
        tape = try Tape(whole)
    }

    /// Tries to restore from bytes.
    ///
    /// - Returns: the error; nil when a hub was restored, which is removed again.
    private func attempt(_ bytes: [UInt8], _ comment: String) async throws -> BackupError? {
        let (file, top) = (house.folder.path("hostile.tar"), house.folder.path("goal"))
        try Data(bytes).write(to: URL(filePath: file))
        var failure: BackupError?
        do { _ = try await HubRestore(file: file, folder: "\(top)/hub").run() } catch { failure = error }
        let left = (try? FileManager.default.contentsOfDirectory(atPath: top)) ?? []
        #expect(left == (failure == nil ? ["hub"] : []), "\(comment)")
        try? FileManager.default.removeItem(atPath: top)
        return failure
    }

    private func expectRefusal(_ tape: Tape, _ comment: String) async throws {
        try await expectRefusal(tape.bytes, comment)
    }

    private func expectRefusal(_ bytes: [UInt8], _ comment: String) async throws {
        let error = try await attempt(bytes, comment)
        guard case .noBackup = error else {
            Issue.record("\(comment): \(String(describing: error))")
            return
        }
        #expect(error?.exitCode == .badInput && error?.whatHappened.isEmpty == false)
    }

    @Test func `the parts put together again are a backup`() async throws {
        #expect(tape.parts.map(\.name).first == "manifest.json")
        #expect(try await attempt(tape.bytes, "the same parts") == nil)
    }

    @Test func `what is no archive is refused`() async throws {
        try await expectRefusal([], "an empty file")
        try await expectRefusal(Array("hello\n".utf8), "a line")
        try await expectRefusal([UInt8](repeating: 0, count: 4096), "zeros")
        try await expectRefusal([UInt8](repeating: 0x41, count: 4096), "letters")
        let folder = house.folder.path("folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for (name, path) in [("a folder", folder), ("a device", "/dev/zero"), ("nothing", house.folder.path("none"))] {
            let error = await #expect(throws: BackupError.self, "\(name)") {
                try await HubRestore(file: path, folder: house.folder.path("goal/hub")).run()
            }
            #expect(error?.exitCode == .missingInput, "\(name)")
        }
        #expect(!FileManager.default.fileExists(atPath: house.folder.path("goal")))
    }

    @Test func `an archive that ends anywhere too early is refused`() async throws {
        for count in stride(from: 0, to: whole.count, by: max(whole.count / 50, 1)) {
            try await expectRefusal(Array(whole[..<count]), "\(count) bytes")
        }
        try await expectRefusal(whole.dropLast(1) + [], "all but one byte")
        try await expectRefusal(whole + [0], "one byte more")
        try await expectRefusal(whole + whole, "twice")
    }

    @Test func `names that lead elsewhere are refused, in the list and in headers`() async throws {
        let odd = [
            "../escape", "/tmp/escape", "media/../../escape.mp3", "media/escape.mp3", "key/", "./key", "mail/a.eml",
            "serving.lock", "hub.sqlite-wal", "media/\(clip).mp3/x", "", "key\u{202E}",
        ]
        for name in odd {
            var both = tape
            both.manifest = both.manifest.replacing("\"media/\(clip).mp3\"", with: "\"\(name)\"")
            both.parts[try both.index("media/\(clip).mp3")].name = name
            try await expectRefusal(both, "both \(name)")
            var header = tape
            header.parts[try header.index("key")].name = name
            try await expectRefusal(header, "header \(name)")
        }
        #expect(!FileManager.default.fileExists(atPath: house.folder.path("escape")))
    }

    @Test func `links, devices and other things are refused`() async throws {
        for type in "123456Lxg\u{0}".utf8 {
            var other = tape
            other.parts[try other.index("key")].change = { block in
                block[156] = type
                block.replaceSubrange(157..<168, with: Array("/etc/passwd".utf8))
            }
            try await expectRefusal(other, "type \(type) with a link")
            other.parts[try other.index("key")].change = { block in block[156] = type }
            try await expectRefusal(other, "type \(type)")
        }
        var prefixed = tape
        prefixed.parts[1].change = { block in block.replaceSubrange(345..<350, with: Array("/root".utf8)) }
        try await expectRefusal(prefixed, "a prefix")
    }

    @Test func `sizes that lie are refused`() async throws {
        let sizes: [[UInt8]] = [
            Array("00000000041\u{0}".utf8), Array("77777777777\u{0}".utf8), Array("-0000000040\u{0}".utf8),
            Array("0000000004x\u{0}".utf8), [UInt8](repeating: 0, count: 12), [UInt8](repeating: 0xFF, count: 12),
            [0x80] + [UInt8](repeating: 0xFF, count: 11), [0x80] + [UInt8](repeating: 0, count: 11),
        ]
        for size in sizes {
            for index in tape.parts.indices {
                var lying = tape
                lying.parts[index].change = { block in block.replaceSubrange(124..<136, with: size) }
                try await expectRefusal(lying, "\(size) of \(tape.parts[index].name)")
            }
        }
        // A list of a gigabyte, of which nothing is there.
        var large = tape
        large.parts[0].change = { block in block.replaceSubrange(124..<136, with: Array("10000000000\u{0}".utf8)) }
        try await expectRefusal(large, "a gigabyte")
    }

    @Test func `a list that is not of what is there is refused`() async throws {
        for index in tape.parts.indices {
            var missing = tape
            missing.parts.remove(at: index)
            try await expectRefusal(missing, "without \(tape.parts[index].name)")
            var twice = tape
            twice.parts.insert(tape.parts[index], at: index)
            try await expectRefusal(twice, "twice \(tape.parts[index].name)")
        }
        var extra = tape
        extra.parts.append(.init(name: "extra", content: [1]))
        try await expectRefusal(extra, "something more")
        var swapped = tape
        swapped.parts.swapAt(1, 2)
        try await expectRefusal(swapped, "another order")
        for text in [
            "", "{}", "[]", "null", "{\"v\":1}", "{\"v\":0}", "{\"v\":-1}", String(repeating: "[", count: 100_000),
            "{\"v\":1,\"created\":\"\",\"program\":\"\",\"members\":[]}",
            tape.manifest.replacing("\"bytes\":32", with: "\"bytes\":-32"),
            tape.manifest.replacing("\"bytes\":32", with: "\"bytes\":9223372036854775807"),
            tape.manifest.replacing("\"bytes\":32", with: "\"bytes\":1e300"),
            // In no store, by the database, or nothing that is ever in one.
            tape.manifest.replacing("\"name\":\"media/", with: "\"stored\":true,\"name\":\"media/"),
            tape.manifest.replacing("\"name\":\"key\"", with: "\"stored\":true,\"name\":\"key\""),
        ] {
            var listed = tape
            listed.manifest = text
            try await expectRefusal(listed, String(text.prefix(60)))
        }
        var later = tape
        later.manifest = later.manifest.replacing("\"v\":1", with: "\"v\":6")
        let error = try await attempt(later.bytes, "a later form")
        guard case .newerBackup = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        "ALTER TABLE clips ADD COLUMN extra TEXT", "CREATE TABLE other (a)", "DROP TABLE links",
        "CREATE VIEW people AS SELECT * FROM accounts",
        "CREATE TRIGGER t AFTER INSERT ON posts BEGIN DELETE FROM clips; END",
        // Without SQLite's promise that columns have their types.
        """
        CREATE TABLE copy (account TEXT NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (account, digest));
        DROP TABLE recoveryCodes; ALTER TABLE copy RENAME TO recoveryCodes
        """,
    ])
    func `a database with other tables is refused`(statement: String) async throws {
        let path = house.folder.path("changed.sqlite")
        try Data(tape.parts[try tape.index("hub.sqlite")].content).write(to: URL(filePath: path))
        let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
        let result = try ExternalProgram("python3").run(["-c", script, path, statement])
        #expect(result.status == 0, "\(result.errors)")
        var changed = tape
        try changed.replace("hub.sqlite", with: [UInt8](try Data(contentsOf: URL(filePath: path))), house: house)
        try await expectRefusal(changed, statement)
    }

    @Test func `contents that do not fit together are refused`() async throws {
        var changed = tape
        let index = try changed.index("media/\(clip).mp3")
        changed.parts[index].content[0] ^= 1
        try await expectRefusal(changed, "one bit of a clip")

        var key = tape
        try key.replace("key", with: [1, 2, 3], house: house)
        try await expectRefusal(key, "a short key")

        var garbage = tape
        try garbage.replace("hub.sqlite", with: Array("no database".utf8), house: house)
        try await expectRefusal(garbage, "no database")

        var torn = tape
        let database = tape.parts[try tape.index("hub.sqlite")].content
        try torn.replace("hub.sqlite", with: Array(database.dropLast(4096)), house: house)
        try await expectRefusal(torn, "a page less")

        // A clip too few, in list and archive: the database has it.
        var fewer = tape
        fewer.parts.remove(at: index)
        let start = try #require(fewer.manifest.firstRange(of: "{\"bytes\":10,\"name\":\"media/\(clip).mp3\""))
        let end = try #require(fewer.manifest[start.lowerBound...].firstRange(of: "},"))
        fewer.manifest.removeSubrange(start.lowerBound..<end.upperBound)
        try await expectRefusal(fewer, "a clip less")
    }

    /// Most flips are found; one in what pads a member means nothing. None leaves half a hub.
    @Test func `no single changed byte ends in half a hub`() async throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<150 {
            var bytes = whole
            let offset = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[offset] ^= UInt8.random(in: 1...255, using: &generator)
            let error = try await attempt(bytes, "\(seed), \(offset)")
            switch error {
            case nil, .noBackup, .newerBackup: break
            default: Issue.record("\(seed), \(offset): \(String(describing: error))")
            }
        }
    }
}
