import ChirpCommunity
import ChirpCore
import ChirpOwnHub
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Clips that move into a store, a folder here, and come back when somebody wants to hear them.
@Suite struct ClipMovesTests {
    private let house: HubHousehold
    private let events = Mutexed<[ClipMoves.Event]>([])

    init() throws { house = try HubHousehold() }

    private var folder: FolderStore { FolderStore(FolderStore.Settings(path: house.folder.path("clips"))) }
    private var shelf: ClipShelf { ClipShelf(folder, patient: folder) }

    private func moves(_ store: (any Store)? = nil, after: Double = 7 * 86_400, keep: Int64? = nil) -> ClipMoves {
        let (store, events) = (store ?? folder, events)
        let plan = ClipMoves.Plan(after: after, keep: keep.map { ByteCount($0) })
        return ClipMoves(house.library, to: ClipShelf(store, patient: store), plan: plan) { event in
            events.change { $0.append(event) }
        }
    }

    /// The same library, opened by a process that fetches what is not here.
    private func listener(_ shelf: ClipShelf? = nil) throws -> HubLibrary {
        let shelf = shelf ?? self.shelf
        return try HubLibrary(
            folder: house.library.folder, reserve: ByteCount(Int64(0)), boards: [],
            away: AwaySound(patience: .seconds(5)) { clip, goal in try? await shelf.fetch(clip, to: goal) })
    }

    private func path(_ id: String) -> String { "\(house.library.folder)/media/\(id).mp3" }
    private func isHere(_ id: String) -> Bool { FileManager.default.fileExists(atPath: path(id)) }
    private var stored: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: house.folder.path("clips"))) ?? []).sorted()
    }

    /// As if its file had been written so long ago, by the hub's clock.
    private func age(_ id: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: house.now.addingTimeInterval(-seconds)], ofItemAtPath: path(id))
    }

    private func content(_ id: String, in library: HubLibrary) async throws -> String? {
        guard case .here(let file) = await library.sound(of: try #require(HubID(id))) else { return nil }
        return file.read(at: 0, count: 1000).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `what is old enough moves, and comes back for who listens`() async throws {
        let (old, young) = (try await house.publish(Array("the old".utf8)), try await house.publish(Array("new".utf8)))
        try age(old, 8 * 86_400)
        try age(young, 6 * 86_400)
        #expect(await moves().look())
        #expect(!isHere(old) && isHere(young) && stored.count == 1)
        #expect(events.value == [.moved(stored: 1, letGo: 1, removed: 0)])
        // Nobody fetches for a library that knows of no store, and nothing is broken for it.
        #expect(try await content(old, in: house.library) == nil)
        #expect(try await content(old, in: try listener()) == "the old")
        #expect(isHere(old) && stored.count == 1)
        // Fetched it is as good as new; then it goes without being stored again.
        for id in [old, young] { try age(id, 60) }
        #expect(await moves(after: 0).look())
        #expect(isHere(old) && stored.count == 1)
        try age(old, 8 * 86_400)
        #expect(await moves().look())
        #expect(!isHere(old) && stored.count == 1)
    }

    @Test func `beyond a size the oldest move before their time`() async throws {
        var ids: [String] = []
        for number in 0..<4 {
            ids.append(try await house.publish(Array("clip \(number) ....".utf8)))
            try age(ids[number], [40_000, 30_000, 20_000, 1800][number])
        }
        #expect(await moves(keep: 22).look())
        #expect(ids.map(isHere) == [false, false, true, true])
        // The last was made half an hour ago: it stays for now.
        #expect(await moves(keep: 0).look())
        #expect(ids.map(isHere) == [false, false, false, true])
    }

    @Test func `what nobody has posted stays`() async throws {
        let draft = try await house.save(Array("a draft".utf8))
        try age(draft, 8 * 86_400)
        #expect(await moves().look())
        #expect(isHere(draft) && stored.isEmpty && events.value.isEmpty)
    }

    @Test(arguments: [ScriptedStore.Point.beforeSave, .afterSave, .load])
    func `a store that fails takes nothing away, and the next look goes on`(_ point: ScriptedStore.Point) async throws {
        let id = try await house.publish(Array("a clip".utf8))
        try age(id, 8 * 86_400)
        let stubborn = ScriptedStore(folder, [point: [.unreachable("no answer")]])
        #expect(await !moves(stubborn).look())
        #expect(isHere(id))
        #expect(events.value == [.failed(why: StoreError.unreachable("no answer").whatHappened)])
        #expect(await moves(stubborn).look())
        #expect(!isHere(id) && stored.count == 1)
    }

    @Test func `a copy that is not the clip is none`() async throws {
        let id = try await house.publish(Array("a clip".utf8))
        try age(id, 8 * 86_400)
        #expect(await moves().look())
        let object = try #require(stored.first)
        try Data("a clap".utf8).write(to: URL(filePath: house.folder.path("clips/\(object)")))
        #expect(try await content(id, in: try listener()) == nil)
        #expect(!isHere(id))
    }

    @Test func `a file that is no longer what was published is not stored, and others are`() async throws {
        let (broken, whole) = (try await house.publish(), try await house.publish(Array("whole".utf8)))
        try Data("some ground".utf8).write(to: URL(filePath: path(broken)))
        try age(broken, 9 * 86_400)
        try age(whole, 8 * 86_400)
        #expect(await !moves().look())
        #expect(isHere(broken) && !isHere(whole))
        #expect(try await content(whole, in: try listener()) == "whole")
    }

    @Test func `deleting a clip removes it there, however often that takes`() async throws {
        let (id, other) = (try await house.publish(Array("a clip".utf8)), try await house.publish(Array("other".utf8)))
        for id in [id, other] { try age(id, 8 * 86_400) }
        #expect(await moves().look())
        #expect(stored.count == 2)
        try await house.library.remove(try #require(HubID(id)))
        #expect(stored.count == 2)
        let stubborn = ScriptedStore(folder, [.remove: [.unreachable("no answer"), .forbidden("not today")]])
        #expect(await !moves(stubborn).look())
        #expect(await !moves(stubborn).look())
        #expect(stored.count == 2)
        #expect(await moves(stubborn).look())
        #expect(stored.count == 1)
        #expect(await moves(stubborn).look())
        #expect(try await content(other, in: try listener()) == "other")
        #expect(try await content(id, in: try listener()) == nil)
    }

    @Test func `a process that died between any two steps is gone on from`() async throws {
        let id = try #require(HubID(try await house.publish(Array("a clip".utf8))))
        try age(id.text, 8 * 86_400)
        let object = try await folder.reserve().text
        let begun = try await house.library.beginStoring(id, as: object, in: shelf.place)
        #expect(begun?.object == object && begun?.state == .uploading)
        // It comes back under the name of the first attempt, and the second name is of nothing.
        let again = try await house.library.beginStoring(id, as: "another.mp3", in: shelf.place)
        #expect(again == begun)
        // Not there is not there, whatever was begun.
        #expect(try await content(id.text, in: try listener()) == "a clip")
        #expect(try await !house.library.letGo(id, writtenBefore: .distantFuture))
        #expect(await moves().look())
        #expect(stored == [object] && !isHere(id.text))
        // Deleted while it was on its way.
        let second = try #require(HubID(try await house.publish(Array("second".utf8))))
        let gone = try await folder.reserve().text
        _ = try await house.library.beginStoring(second, as: gone, in: shelf.place)
        try await house.library.remove(second)
        try await house.library.endStoring(gone)
        #expect(try await house.library.storedClip(second) == nil)
        #expect(try await house.library.leavingObjects(in: shelf.place, limit: 10) == [gone])
        #expect(await moves().look())
        #expect(try await house.library.leavingObjects(in: shelf.place, limit: 10) == [])
    }

    @Test func `what is kept in another place is neither fetched nor removed`() async throws {
        let id = try await house.publish(Array("a clip".utf8))
        try age(id, 8 * 86_400)
        #expect(await moves().look())
        let other = FolderStore(FolderStore.Settings(path: house.folder.path("other")))
        #expect(try await content(id, in: try listener(ClipShelf(other, patient: other))) == nil)
        try await house.library.remove(try #require(HubID(id)))
        #expect(await moves(other).look())
        #expect(stored.count == 1)
    }

    @Test func `fifty who listen at once fetch it once`() async throws {
        let id = try await house.publish(Array("a clip".utf8))
        try age(id, 8 * 86_400)
        #expect(await moves().look())
        let (fetches, shelf) = (Mutexed(0), shelf)
        let library = try HubLibrary(
            folder: house.library.folder, reserve: ByteCount(Int64(0)), boards: [],
            away: AwaySound(patience: .seconds(5)) { clip, goal in
                fetches.change { $0 += 1 }
                try? await shelf.fetch(clip, to: goal)
            })
        let heard = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { try await content(id, in: library) == "a clip" } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(heard == 50 && fetches.value == 1)
    }

    @Test func `a backup names what is in the store, and a restored hub fetches it`() async throws {
        let (away, here) = (try await house.publish(Array("away".utf8)), try await house.publish(Array("here".utf8)))
        try age(away, 8 * 86_400)
        try age(here, 60)
        #expect(await moves().look())
        let file = house.folder.path("hub.tar")
        let house = house
        let report = try await HubBackup(folder: house.library.folder, program: "1", now: { house.now }).write(to: file)
        #expect(report.clips == 1 && report.stored == 1 && report.missing == [])
        let goal = house.folder.path("new/hub")
        let restored = try await HubRestore(file: file, folder: goal).run()
        #expect(restored.clips == 2 && restored.stored == 1)
        let check = try await LibraryCheck(folder: goal).run(readsClips: true)
        #expect(check.clips == 2 && check.stored == 1 && check.missing == [] && check.damaged == [])
        let shelf = shelf
        let library = try HubLibrary(
            folder: goal, reserve: ByteCount(Int64(0)), boards: [],
            away: AwaySound(patience: .seconds(5)) { clip, goal in try? await shelf.fetch(clip, to: goal) })
        #expect(try await content(away, in: library) == "away")
        #expect(try await content(here, in: library) == "here")
    }

    @Test func `a clip that moves while a backup is written is named as kept in the store`() async throws {
        var ids: [String] = []
        for number in 0..<3 {
            ids.append(try await house.publish(Array("clip \(number)".utf8)))
            try age(ids[number], 8 * 86_400)
        }
        let (file, moves, isBegun, house) = (house.folder.path("hub.tar"), moves(), Mutexed(false), house)
        let backup = HubBackup(folder: house.library.folder, program: "1", now: { house.now })
        let report = try await backup.write(to: file) { _ in
            // Something is in the archive by now, and nothing after it has been looked for.
            var isFirst = false
            isBegun.change { begun in (isFirst, begun) = (!begun, true) }
            guard isFirst else { return }
            // The archive is written on a thread of its own, which may wait.
            let moved = DispatchSemaphore(value: 0)
            Task.detached {
                _ = await moves.look()
                moved.signal()
            }
            moved.wait()
        }
        #expect(stored.count == 3 && ids.allSatisfy { !isHere($0) })
        #expect(report.clips + report.stored == 3 && report.stored >= 2 && report.missing == [] && report.removed == 0)
        let goal = house.folder.path("new/hub")
        let restored = try await HubRestore(file: file, folder: goal).run()
        #expect(restored.clips == 3 && restored.stored == report.stored)
        let shelf = shelf
        let library = try HubLibrary(
            folder: goal, reserve: ByteCount(Int64(0)), boards: [],
            away: AwaySound(patience: .seconds(5)) { clip, goal in try? await shelf.fetch(clip, to: goal) })
        for (number, id) in ids.enumerated() { #expect(try await content(id, in: library) == "clip \(number)") }
    }

    @Test func `who waits for a store that does not answer is told after a while, and the fetch goes on`() async throws
    {
        let id = try await house.publish(Array("a clip".utf8))
        try age(id, 8 * 86_400)
        #expect(await moves().look())
        let (gate, done, shelf) = (AsyncSemaphore(width: 1), AsyncSemaphore(width: 1), shelf)
        #expect(await gate.enter())
        #expect(await done.enter())
        let library = try HubLibrary(
            folder: house.library.folder, reserve: ByteCount(Int64(0)), boards: [],
            away: AwaySound(patience: .zero) { clip, goal in
                guard await gate.enter() else { return }
                try? await shelf.fetch(clip, to: goal)
                done.leave()
            })
        guard case .away = await library.sound(of: try #require(HubID(id))) else {
            Issue.record("it was there")
            return
        }
        #expect(!isHere(id))
        gate.leave()
        #expect(await done.enter())
        #expect(try await content(id, in: library) == "a clip")
    }
}
