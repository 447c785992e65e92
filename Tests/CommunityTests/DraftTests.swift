import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Recordings that are not published yet, and the moment when they are.
@Suite struct DraftTests {
    private let house: HubHousehold
    private static let quota = ByteCount(Int64(1_000_000))
    private static let day = 24 * 3600.0

    init() throws { house = try HubHousehold() }

    private func begin(_ bytes: [UInt8], of owner: AccountID, isComplete: Bool = true) async throws -> HubID {
        var wishes = MediaItem.Wishes()
        (wishes.isDraft, wishes.fileName) = (true, "take.wav")
        let item = try await house.library.beginUpload(
            wishes, bytes: Int64(bytes.count), of: owner, quota: Self.quota)
        try Data(bytes).write(to: URL(filePath: house.library.uploads.file(item.id)))
        if isComplete { #expect(try await house.library.completeUpload(item.id)) }
        return item.id
    }

    /// What making a clip leaves.
    @discardableResult
    private func make(_ id: HubID, in library: HubLibrary? = nil, bytes: [UInt8] = [7, 8]) async throws -> HubDraft {
        let library = library ?? house.library
        let draft = try #require(try await library.draft(id))
        try Data(bytes).write(to: URL(filePath: library.media.file(draft.take)))
        let made = HubDraft.Made(
            bytes: Int64(bytes.count), sha256: try house.payload(bytes).sha256,
            sound: HubSound(seconds: 2, peaks: [1, 2]), receipt: "{}")
        #expect(try await library.finish(draft, as: made))
        return draft
    }

    private func publication(_ change: (inout DraftPublication) -> Void = { _ in }) -> DraftPublication {
        var publication = DraftPublication { clip in
            let link = "\(HubHousehold.publicURL)/c/\(clip)"
            return ("Hear #Chirp\n\(link)", link)
        }
        change(&publication)
        return publication
    }

    private func publish(
        _ id: HubID, of owner: AccountID, in library: HubLibrary? = nil, quota: ByteCount = quota,
        _ change: (inout DraftPublication) -> Void = { _ in }
    ) async throws(DraftRefusal) -> DraftOutcome {
        try await (library ?? house.library).publish(
            id, of: owner, publication(change), under: PostingPolicy(), quota: quota)
    }

    private func published(_ outcome: DraftOutcome) throws -> HubDraft.Published {
        guard case .published(let published) = outcome else { throw CancellationError() }
        return published
    }

    @Test func `a draft goes from its first byte to a clip that nobody sees yet`() async throws {
        let ann = try await house.person("ann")
        let id = try await begin([1, 2, 3], of: ann, isComplete: false)
        #expect(try await house.library.draft(id)?.state == .receiving)
        await #expect(throws: DraftRefusal.receiving) { try await publish(id, of: ann) }
        #expect(try await house.library.completeUpload(id))
        let making = try #require(try await house.library.draft(id))
        #expect(making.state == .making && !making.isSettled)
        #expect(try await publish(id, of: ann) == .making(making))
        let draft = try await make(id)
        try await house.library.note(HubSound(seconds: 3, peaks: [9]), of: draft)
        let ready = try #require(try await house.library.draft(id))
        #expect(ready.state == .ready && ready.isSettled && ready.recording == HubSound(seconds: 3, peaks: [9]))
        // Its file is there; a clip it is not, and no sweep takes it.
        #expect(try await house.library.unfilteredClip(draft.take) == nil)
        house.wait(2 * 3600)
        #expect(try await house.library.sweep(at: house.now).strays == 0)
        #expect(try house.mediaNames() == ["\(draft.take).mp3"])
        #expect(try await house.library.waitingMedia().isEmpty)
        let report = try await LibraryCheck(folder: house.folder.path("hub"), now: { [house] in house.now })
            .run(readsClips: true)
        #expect(report.strays == 0 && report.clips == 0)
    }

    @Test func `publishing makes clip and post at once, and the recording goes`() async throws {
        let ann = try await house.person("ann")
        let id = try await begin([1, 2, 3], of: ann)
        _ = try await house.library.change(id, of: ann, to: .init(title: "A horn"), text: "Hear")
        let draft = try await make(id)
        let outcome = try published(
            try await publish(id, of: ann) { ($0.visibility, $0.language) = (.unlisted, "de") })
        #expect(outcome.clip == draft.take && outcome.text.hasPrefix("Hear #Chirp\n"))
        let clip = try #require(try await house.library.unfilteredClip(draft.take))
        #expect(clip.title == "A horn" && clip.owner == ann && clip.shared && clip.fileName == "take.mp3")
        let post = try #require(try await house.library.seen(by: .member(ann)).post(named: outcome.post))
        #expect(post.clip?.id == draft.take && post.visibility == .unlisted && post.language == "de")
        #expect(!FileManager.default.fileExists(atPath: house.library.uploads.file(id)))
        #expect(try await house.library.drafts(of: ann).isEmpty)
        #expect(try await house.library.mediaItem(id, of: ann)?.state == .ready)
        // Whatever is asked later has the same answer.
        #expect(try published(try await publish(id, of: ann) { $0.visibility = .published }) == outcome)
        // A file of it that a killed process left behind has nobody who wants it.
        try Data([1]).write(to: URL(filePath: house.library.uploads.file(id)))
        try FileManager.default.setAttributes(
            [.modificationDate: house.now.addingTimeInterval(-2 * 3600)],
            ofItemAtPath: house.library.uploads.file(id))
        #expect(try await house.library.sweep(at: house.now).strays == 1)
    }

    @Test func `a hundred publications at once are one post`() async throws {
        let ann = try await house.person("ann")
        let id = try await begin([1], of: ann)
        try await make(id)
        let outcomes = try await withThrowingTaskGroup(of: DraftOutcome.self) { group in
            for _ in 0..<100 { group.addTask { try await publish(id, of: ann) } }
            return try await group.reduce(into: [DraftOutcome]()) { $0.append($1) }
        }
        #expect(Set(outcomes).count == 1)
        #expect(try await house.library.seen(by: .member(ann)).posts(.byAny([ann]), limit: 10).count == 1)
    }

    @Test func `others' drafts are as if they were not there`() async throws {
        let (ann, eve) = (try await house.person("ann"), try await house.person("eve"))
        let id = try await begin([1], of: ann)
        try await make(id)
        await #expect(throws: DraftRefusal.nothing) { try await publish(id, of: eve) }
        #expect(try await house.library.change(id, of: eve, to: .init(title: "Mine"), text: "") == nil)
        #expect(try await house.library.removeDraft(id, of: eve) == false)
        #expect(try await house.library.drafts(of: eve).isEmpty)
        #expect(try await house.library.drafts(of: ann).map(\.id) == [id])
    }

    @Test func `what was made for an older wish does not count`() async throws {
        let ann = try await house.person("ann")
        let id = try await begin([1], of: ann)
        let old = try #require(try await house.library.draft(id))
        let change = try await house.library.change(id, of: ann, to: .init(title: "", from: 1, to: 2), text: "")
        #expect(change?.isNew == true && change?.draft.take != old.take)
        let made = HubDraft.Made(bytes: 1, sha256: "0", sound: HubSound(seconds: 1), receipt: nil)
        #expect(try await house.library.finish(old, as: made) == false)
        try await house.library.refuse(old, because: "it is silent")
        #expect(try await house.library.draft(id)?.state == .making)
        // Words alone change nothing of the clip.
        let words = try await house.library.change(id, of: ann, to: .init(title: "", from: 1, to: 2), text: "Hear")
        #expect(words?.isNew == false && words?.draft.text == "Hear")
        // What cannot become a clip can still be cut otherwise.
        let now = try #require(try await house.library.draft(id))
        try await house.library.refuse(now, because: "it is silent")
        await #expect(throws: DraftRefusal.refused(why: "it is silent")) { try await publish(id, of: ann) }
        _ = try await house.library.change(id, of: ann, to: .init(title: ""), text: "")
        #expect(try await house.library.draft(id)?.state == .making)
        #expect(try await house.library.waitingMedia().map(\.id) == [id])
    }

    @Test func `a process that dies between two steps leaves one clip and one post`() async throws {
        let ann = try await house.person("ann")
        let id = try await begin([1, 2, 3], of: ann)
        // Each step is done by another process than the one before.
        func next() throws -> HubLibrary { try HubHousehold(sharing: house).library }
        #expect(try await next().waitingMedia().map(\.id) == [id])
        // The file was there, the row was not.
        let take = try #require(try await next().draft(id)).take
        try Data([7]).write(to: URL(filePath: house.library.media.file(take)))
        #expect(try await next().draft(id)?.state == .making)
        try await make(id, in: next())
        let first = try published(try await publish(id, of: ann, in: next()))
        // The answer was lost.
        let second = try published(try await publish(id, of: ann, in: next()))
        #expect(first == second && first.clip == take)
        #expect(try house.mediaNames() == ["\(take).mp3"])
        #expect(try await next().seen(by: .member(ann)).posts(.byAny([ann]), limit: 10).count == 1)
    }

    @Test func `a recording counts until it is published or deleted`() async throws {
        let ann = try await house.person("ann")
        func used() async throws -> ByteCount { try await house.library.room(of: ann, quota: Self.quota).used }
        let (kept, gone) = (
            try await begin([UInt8](repeating: 1, count: 1000), of: ann),
            try await begin([UInt8](repeating: 2, count: 500), of: ann)
        )
        let take = try await make(kept).take
        try await make(gone)
        #expect(try await used() == ByteCount(1500))
        #expect(try await house.library.removeDraft(gone, of: ann))
        #expect(try await used() == ByteCount(1000))
        #expect(try house.mediaNames() == ["\(take).mp3"])
        // A share that has become smaller meanwhile.
        await #expect(throws: DraftRefusal.room(.overQuota(limit: ByteCount(1), free: ByteCount(1)))) {
            try await publish(kept, of: ann, quota: ByteCount(1))
        }
        #expect(try await used() == ByteCount(1000))
        _ = try await publish(kept, of: ann)
        #expect(try await used() == ByteCount(2))
    }

    @Test func `who may not post keeps the draft`() async throws {
        let ann = try await house.person("ann", state: "suspended")
        let id = try await begin([1], of: ann)
        try await make(id)
        await #expect(throws: DraftRefusal.posting(.notActive)) { try await publish(id, of: ann) }
        let draft = try #require(try await house.library.draft(id))
        #expect(draft.state == .ready && draft.published == nil)
        #expect(try await house.library.unfilteredClip(draft.take) == nil)
        #expect(FileManager.default.fileExists(atPath: house.library.uploads.file(id)))
    }

    @Test func `of very many drafts the newest are listed`() async throws {
        let ann = try await house.person("ann")
        let oldest = try await begin([1], of: ann)
        house.wait(1)
        for _ in 1..<HubLibrary.mostDrafts { _ = try await begin([1], of: ann) }
        house.wait(1)
        let newest = try await begin([1], of: ann)
        let listed = try await house.library.drafts(of: ann).map(\.id)
        #expect(listed.count == HubLibrary.mostDrafts)
        #expect(listed.first == newest && !listed.contains(oldest))
    }

    @Test func `a draft stays seven days after it was last touched, an unfinished one a day`() async throws {
        let ann = try await house.person("ann")
        let (touched, forgotten) = (try await begin([1], of: ann), try await begin([2], of: ann))
        let unfinished = try await begin([3], of: ann, isComplete: false)
        try await make(touched)
        try await make(forgotten)
        house.wait(Self.day + 1)
        #expect(try await house.library.sweep(at: house.now).uploads == 1)
        #expect(try await house.library.draft(unfinished) == nil)
        house.wait(5 * Self.day)
        _ = try await house.library.change(touched, of: ann, to: .init(title: ""), text: "Not yet")
        house.wait(Self.day)
        #expect(try await house.library.sweep(at: house.now).uploads == 1)
        #expect(try await house.library.drafts(of: ann).map(\.id) == [touched])
        #expect(try house.mediaNames().count == 1)
        #expect(!FileManager.default.fileExists(atPath: house.library.uploads.file(forgotten)))
    }

    @Test func `an account that is deleted takes its drafts along`() async throws {
        let ann = try await house.person("ann")
        let id = try await begin([1], of: ann)
        try await make(id)
        try await house.change("PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id = 'id-ann'")
        #expect(try await house.library.draft(id) == nil)
        #expect(try await house.library.waitingMedia().isEmpty)
    }

    @Test func `what goes on to other networks is marked before it is sent, and goes with its post`() async throws {
        let id = try await begin([1], of: house.library.owner.id)
        try await make(id)
        let outcome = try published(
            try await publish(id, of: house.library.owner.id) {
                $0.onward = [.init(.mastodon, words: "Hear"), .init(.x, words: "Hear")]
            })
        let waiting = try await house.library.onwardWaiting()
        #expect(waiting.map(\.network) == [.mastodon, .x] && waiting.allSatisfy { $0.state == .waiting })
        let first = try #require(waiting.first)
        #expect(first.post == outcome.post && first.page == "\(HubHousehold.publicURL)/c/\(outcome.clip)")
        #expect(try await house.library.beginOnward(first))
        // Another process finds the mark.
        let other = try HubHousehold(sharing: house).library
        #expect(try await other.onwardWaiting().map(\.state) == [.sending, .waiting])
        try await other.endOnward(first, as: .posted, link: "https://m.example/1", due: house.now)
        #expect(try await other.onwardWaiting().map(\.network) == [.x])
        #expect(try await other.onward(of: outcome.post).map(\.link) == ["https://m.example/1", nil])
        try await other.removePost(outcome.post)
        #expect(try await other.onwardWaiting().isEmpty)
        #expect(try await other.beginOnward(first) == false)
    }
}
