import ChirpCore
import ChirpJournal
import ChirpTestKit
import Foundation
import Testing

@Suite struct PlayTests {
    private let folder: TemporaryFolder
    private let journal: Journal
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        folder = try TemporaryFolder()
        journal = try Journal(path: folder.path("journal.sqlite"))
    }

    private func detected(_ post: String, part: Int = 0) -> DetectedPlay {
        DetectedPlay(
            postID: post, part: part, address: "{}", authorID: "1", handle: "alice", authorName: "Alice",
            words: "hello", posted: start)
    }

    @Test func `clips and the place in the feed are written together, each clip once`() async throws {
        let first = try await journal.detect(
            [detected("a"), detected("a", part: 1), detected("b")], on: "hub", cursor: "7", now: start)
        #expect(first.count == 3 && first == first.sorted())
        #expect(try await journal.cursor(of: "hub") == "7")
        #expect(try await journal.cursor(of: "mastodon") == nil)
        let again = try await journal.detect([detected("b"), detected("c")], on: "hub", cursor: nil, now: start)
        #expect(again.count == 1)
        #expect(try await journal.cursor(of: "hub") == "7")
        #expect(try await journal.detect([detected("a")], on: "mastodon", cursor: "x", now: start).count == 1)
        let last = PlayID(rawValue: again[0].rawValue + 1)
        #expect(try await journal.openPlays() == first + again + [last])
    }

    @Test func `a row is changed and comes back as it was written`() async throws {
        let id = try await journal.detect([detected("a")], on: "hub", cursor: nil, now: start)[0]
        let start = start
        let changed = try await journal.update(play: id) { row in
            row.state = .played
            row.file = "1.clip"
            row.bytes = 1000
            row.seconds = 1.5
            row.gainDB = -2.25
            row.fetched = start
            row.plays = 2
        }
        #expect(try await journal.play(id) == changed)
        #expect(changed.words == "hello" && changed.arrived == start)
        #expect(try await journal.openPlays().isEmpty)
        #expect(try await journal.heldPlays().map(\.bytes) == [1000])
        #expect(try await journal.recentPlays(limit: 5).map(\.id) == [id])
        await #expect(throws: JournalError.unknownPlay(PlayID(rawValue: 99))) {
            try await journal.play(PlayID(rawValue: 99))
        }
    }

    @Test func `a session that was cut off is gone on with, one that ended or is too old is not`() async throws {
        let limit = start - 3600
        #expect(try await journal.beginListening(now: start, since: limit).goesOn == false)
        let open = try await journal.detect([detected("a"), detected("b")], on: "hub", cursor: "1", now: start)
        let second = try await journal.beginListening(now: start, since: limit)
        #expect(second.goesOn)
        #expect(try await journal.openPlays() == open)
        try await journal.endListening(second.id, now: start)
        #expect(try await journal.beginListening(now: start, since: limit).goesOn == false)
        #expect(try await journal.openPlays().isEmpty)
        #expect(try await journal.play(open[0]).reason == "listening had ended")
        #expect(try await journal.beginListening(now: start + 7200, since: start + 3600).goesOn == false)
    }

    // MARK: deaths

    @Test func `a clip that was in hand at two deaths is set aside, and stays so`() async throws {
        let id = try await journal.detect([detected("a")], on: "hub", cursor: nil, now: start)[0]
        for death in 1...2 {
            try await journal.mark(play: id, as: .fetch)
            let settled = try await journal.settleDeaths(because: "died")
            #expect(settled.setAside.map(\.id) == (death == 2 ? [id] : []))
            #expect(settled.suspects == (death == 1 ? [id] : []))
        }
        let row = try await journal.play(id)
        #expect(row.state == .setAside && row.reason == "died" && row.deaths == 2 && row.inHand == nil)
        #expect(try await journal.openPlays().isEmpty)
        #expect(try await journal.recentPlays(limit: 5).map(\.id) == [id])
        #expect(try await journal.settleDeaths(because: "died").setAside.isEmpty)
    }

    @Test func `what was let go of is not counted, and fetching is to blame before hearing`() async throws {
        let ids = try await journal.detect(
            ["a", "b", "c"].map { detected($0) }, on: "hub", cursor: nil, now: start)
        try await journal.mark(play: ids[0], as: .fetch)
        try await journal.mark(play: ids[0], as: nil)
        try await journal.mark(play: ids[1], as: .play)
        try await journal.mark(play: ids[2], as: .fetch)
        #expect(try await journal.settleDeaths(because: "").suspects == [ids[2]])
        try await journal.mark(play: ids[1], as: .play)
        #expect(try await journal.settleDeaths(because: "").suspects == [ids[1], ids[2]])
        #expect(try await journal.play(ids[0]).deaths == 0)
    }

    /// A clock before 1970 or after 2262, and the ends of what a number holds.
    @Test(arguments: [-2e9, -9.3e18, 9.3e9, 9.3e18, 1e300, -1e300, .infinity, .nan])
    func `any clock's time can be written and read again`(seconds: Double) async throws {
        let now = Date(timeIntervalSince1970: seconds)
        let session = try await journal.beginListening(now: now, since: now - 86_400)
        var play = detected("a")
        play.posted = now
        let id = try await journal.detect([play], on: "hub", cursor: "1", now: now)[0]
        let row = try await journal.update(play: id) { row in
            row.fetched = now
            row.heard = now
            row.file = "x"
            row.bytes = 1
        }
        #expect(try await journal.play(id).arrived == now.bounded && row.id == id)
        #expect(try await journal.heldPlays().map(\.fetched) == [now.bounded])
        #expect(try await journal.beginListening(now: now, since: now - 86_400).goesOn)
        try await journal.forget(files: [id], playsBefore: now)
        try await journal.endListening(session.id, now: now)
        let record = PublicationRecord(
            id: "p", inputSHA256: "i", settingsSHA256: "s", inputName: "n", inputPath: "p", order: "{}",
            expires: now, storeName: "memory", networkName: "none", created: now)
        #expect(try await journal.insert(record, anew: false, now: now) == nil)
        try await journal.update("p", now: now) { $0.nextAttempt = now }
        #expect(try await journal.publications(dueBefore: now).map(\.id) == ["p"])
        #expect(try await journal.publications(in: PublicationState.open).first?.created == now.bounded)
    }

    @Test func `a row that a wrong clock has put off for years is due`() async throws {
        let record = PublicationRecord(
            id: "p", inputSHA256: "i", settingsSHA256: "s", inputName: "n", inputPath: "p", order: "{}",
            storeName: "memory", networkName: "none", created: start)
        _ = try await journal.insert(record, anew: false, now: start)
        let start = start
        for (delay, isDue) in [(3600.0, false), (86_400, false), (40_000_000, true)] {
            try await journal.update("p", now: start) { $0.nextAttempt = start + delay }
            #expect(try await journal.publications(dueBefore: start).isEmpty != isDue)
        }
        try await journal.update("p", now: start) { row in
            row.nextAttempt = nil
            row.deaths = 2
        }
        #expect(try await journal.publications(dueBefore: start).isEmpty)
    }

    @Test func `rows without a file are forgotten after a time, and their ids are not given again`() async throws {
        let ids = try await journal.detect([detected("a"), detected("b")], on: "hub", cursor: nil, now: start)
        for id in ids {
            try await journal.update(play: id) { row in
                row.state = .played
                row.file = "\(id).clip"
                row.bytes = 1
                row.fetched = row.arrived
            }
        }
        try await journal.forget(files: [ids[1]], playsBefore: start + 1)
        #expect(try await journal.heldPlays().map(\.id) == [ids[0]])
        await #expect(throws: JournalError.unknownPlay(ids[1])) { try await journal.play(ids[1]) }
        #expect(
            try await journal.detect([detected("c")], on: "hub", cursor: nil, now: start)
                == [PlayID(rawValue: ids[1].rawValue + 1)])
    }
}
