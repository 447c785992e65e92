import ChirpCore
import ChirpJournal
import ChirpTestKit
import Foundation
import GRDB
import Testing

@Suite struct PublicationTests {
    private let folder: TemporaryFolder
    private let journal: Journal
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        folder = try TemporaryFolder()
        journal = try Journal(path: folder.path("state/chirp/journal.sqlite"))
    }

    private func row(
        _ id: String, input: String = "in", settings: String = "set", expires: Double? = nil, created: Double = 0
    ) -> PublicationRecord {
        PublicationRecord(
            id: id, inputSHA256: input, settingsSHA256: settings, inputName: "take.wav", inputPath: "/tmp/take.wav",
            order: "{}", expires: expires.map { start.addingTimeInterval($0) }, storeName: "memory",
            networkName: "none",
            created: start.addingTimeInterval(created))
    }

    @Test func `a row comes back as it was written`() async throws {
        var record = row("a1", expires: 60)
        record.session = "secret"
        record.confirmedBytes = 1 << 40
        record.receipt = "{\"v\":1}"
        #expect(try await journal.insert(record, anew: false, now: start) == nil)
        #expect(try await journal.publication("a1") == record)
    }

    @Test func `journal and folder are readable by their owner alone`() async throws {
        _ = try await journal.insert(row("a1"), anew: false, now: start)
        for name in ["state/chirp/journal.sqlite", "state/chirp/journal.sqlite-wal"] {
            let facts = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
        let facts = try FileManager.default.attributesOfItem(atPath: folder.path("state"))
        #expect(facts[.posixPermissions] as? Int == 0o700)
    }

    @Test func `the same recording with the same settings finds the row that is there`() async throws {
        _ = try await journal.insert(row("a1"), anew: false, now: start)
        #expect(try await journal.insert(row("a2"), anew: false, now: start)?.id == "a1")
        #expect(try await journal.insert(row("a3", settings: "other"), anew: false, now: start) == nil)
        #expect(try await journal.insert(row("a4", created: 1), anew: true, now: start) == nil)
        #expect(try await journal.publication(input: "in", settings: "set", now: start)?.id == "a4")
    }

    @Test(arguments: PublicationState.allCases)
    func `only an open or a finished row answers for a recording`(state: PublicationState) async throws {
        _ = try await journal.insert(row("a1"), anew: false, now: start)
        try await journal.update("a1", now: start) { $0.state = state }
        let answers = state == .done || (state.isOpen && state != .withdrawing)
        #expect(try await journal.insert(row("a2"), anew: false, now: start)?.id == (answers ? "a1" : nil))
    }

    @Test func `a row whose time is over does not answer`() async throws {
        _ = try await journal.insert(row("a1", expires: 60), anew: false, now: start)
        let later = start.addingTimeInterval(60)
        #expect(try await journal.publication(input: "in", settings: "set", now: start)?.id == "a1")
        #expect(try await journal.publication(input: "in", settings: "set", now: later) == nil)
    }

    @Test func `an id may be shortened as long as it is clear`() async throws {
        for id in ["abc1", "abd2", "x"] { _ = try await journal.insert(row(id), anew: true, now: start) }
        #expect(try await journal.publication("abc").id == "abc1")
        #expect(try await journal.publication("x").id == "x")
        for text in ["ab", "", "zzz", "%"] {
            await #expect(throws: JournalError.unknownPublication(text)) { _ = try await journal.publication(text) }
        }
    }

    @Test func `lists are by state, by due time and by expiry`() async throws {
        for (index, id) in ["a", "b", "c", "d"].enumerated() {
            let record = row(id, expires: id == "d" ? 10 : nil, created: Double(index))
            _ = try await journal.insert(record, anew: true, now: start)
        }
        let soon = start.addingTimeInterval(30)
        try await journal.update("b", now: start) { $0.nextAttempt = soon }
        try await journal.update("c", now: start) { $0.state = .failedForGood }
        try await journal.update("d", now: start) { $0.state = .done }
        #expect(try await journal.publications(in: PublicationState.open).map(\.id) == ["a", "b"])
        #expect(try await journal.publications(dueBefore: start).map(\.id) == ["a"])
        #expect(try await journal.publications(dueBefore: soon).map(\.id) == ["a", "b"])
        #expect(try await journal.publications(expiredBefore: start).isEmpty)
        #expect(try await journal.publications(expiredBefore: soon).map(\.id) == ["d"])
        try await journal.delete("d")
        #expect(try await journal.publications(in: [.done]).isEmpty)
    }

    @Test func `a change of a row that is not there is an error`() async throws {
        await #expect(throws: JournalError.unknownPublication("nope")) {
            try await journal.update("nope", now: start) { $0.attempts = 1 }
        }
    }

    @Test func `of many at once with the same wish one writes`() async throws {
        let other = try Journal(path: journal.path)  // as another process would
        let new = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                let (journal, record) = (index.isMultiple(of: 2) ? journal : other, row("r\(index)"))
                group.addTask { [start] in try await journal.insert(record, anew: false, now: start) == nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(new == 1)
        #expect(try await journal.publications(in: PublicationState.open).count == 1)
    }

    @Test func `a cancelled task still writes`() async throws {
        let record = row("a1")
        let task = Task { [journal, start] in
            await untilCancelled()
            return try await journal.insert(record, anew: false, now: start)
        }
        task.cancel()
        #expect(try await task.value == nil)
        #expect(try await journal.publication("a1").id == "a1")
    }
}
