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
        #expect(try await journal.openPlays() == first + again + [again[0] + 1])
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
        await #expect(throws: JournalError.unknownPlay(99)) { try await journal.play(99) }
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
        #expect(try await journal.detect([detected("c")], on: "hub", cursor: nil, now: start) == [ids[1] + 1])
    }
}
