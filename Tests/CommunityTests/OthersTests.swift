import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpTestKit
import Foundation
import HubHousehold
import Synchronization
import Testing

/// What processes that have one library open learn of each other. Each household here is such a process.
@Suite struct OthersTests {
    private let (house, other): (HubHousehold, HubHousehold)

    init() throws {
        house = try HubHousehold()
        other = try HubHousehold(sharing: house)
    }

    @Test func `commits of other processes are noticed, and own ones are not`() async throws {
        let first = try await house.library.noticeOthers(since: nil)
        try await house.post("Mine")
        #expect(try await house.library.noticeOthers(since: first) == first)
        try await other.post("Of the other")
        let second = try await house.library.noticeOthers(since: first)
        #expect(second != first)
        #expect(try await house.library.noticeOthers(since: second) == second)
    }

    @Test func `who watches a table is told to look again when another process has committed`() async throws {
        let rings = Mutex(0)
        let end = house.library.pushesChanged { rings.withLock { $0 += 1 } }
        defer { end() }
        let version = try await house.library.noticeOthers(since: nil)
        rings.withLock { $0 = 0 }
        try await other.post("Of the other")
        #expect(rings.withLock { $0 } == 0)
        let next = try await house.library.noticeOthers(since: version)
        #expect(rings.withLock { $0 } == 1)
        _ = try await house.library.noticeOthers(since: next)
        #expect(rings.withLock { $0 } == 1)
    }

    @Test func `own commits are told, and others' are not`() async throws {
        let commits = Mutex(0)
        let end = house.library.committed { commits.withLock { $0 += 1 } }
        try await house.post("Mine")
        let own = commits.withLock { $0 }
        #expect(own > 0)
        try await other.post("Of the other")
        #expect(commits.withLock { $0 } == own)
        end()
        try await house.post("Mine again")
        #expect(commits.withLock { $0 } == own)
    }

    @Test func `a hint is looked at at once, and a lost one costs the time until the next look`() async throws {
        let watch = try LibraryWatch(
            house.library, poll: .seconds(3600), hints: .init(poll: .seconds(3600)) { true }, clock: ContinuousClock())
        let (changes, change) = AsyncStream<Void>.makeStream()
        let ear = watch.listen { if $0 == .changed { change.yield() } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch.run() }
            var heard = changes.makeAsyncIterator()
            // The first look, which has nothing to compare with.
            await heard.next()
            for number in 1...3 {
                try await other.post("Of the other, \(number)")
                watch.hint()
                await heard.next()
            }
            group.cancelAll()
        }
        watch.leave(ear)
        // Nobody says anything: it is found all the same.
        let deaf = try LibraryWatch(
            house.library, poll: .milliseconds(5), hints: .init(poll: .seconds(3600)) { false },
            clock: ContinuousClock())
        _ = deaf.listen { if $0 == .changed { change.yield() } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await deaf.run() }
            var heard = changes.makeAsyncIterator()
            await heard.next()
            try await other.post("In silence")
            await heard.next()
            group.cancelAll()
        }
    }

    @Test func `a library is served by one process alone, or by several that all say so`() throws {
        let folder = house.folder.path("hub")
        let alone = try #require(try ServingLock(folder: folder))
        #expect(try ServingLock(folder: folder) == nil)
        #expect(try ServingLock(folder: folder, isShared: true) == nil)
        alone.end()
        let shared = try #require(try ServingLock(folder: folder, isShared: true))
        let second = try #require(try ServingLock(folder: folder, isShared: true))
        #expect(try ServingLock(folder: folder) == nil)
        shared.end()
        #expect(try ServingLock(folder: folder) == nil)
        second.end()
        #expect(try ServingLock(folder: folder) != nil)
    }

    @Test func `one process is on duty, and another when that one has ended`() throws {
        let folder = house.folder.path("hub")
        var first: DutyLock? = try DutyLock(folder: folder)
        let (second, third) = (try DutyLock(folder: folder), try DutyLock(folder: folder))
        #expect(try first?.take() == true && first?.take() == true)
        #expect(try !second.take() && !second.isHeld)
        first = nil
        #expect(try second.take() && second.isHeld)
        #expect(try !third.take())
        second.end()
        #expect(try third.take() && !second.isHeld)
    }

    @Test func `two processes count posts once`() async throws {
        let (mine, others) = (try UsageBook(house.library), try UsageBook(other.library))
        try await mine.write()
        func publications() async throws -> Int {
            try await mine.hours(limit: 10).reduce(0) { $0 + ($1.counts[.publication] ?? 0) }
        }
        try await house.post("One")
        // What this one saw before the other wrote is written after it.
        let before = try await house.library.seen(by: .visitor).lastSequence()
        try await house.post("Two")
        try await others.write()
        try mine.writeNow(last: before)
        try await house.post("Three")
        try await others.write()
        try await mine.write()
        #expect(try await publications() == 3)
    }

    @Test func `an upload is written on by one process at a time`() async throws {
        let ann = try await house.person("ann")
        let item = try await house.library.beginUpload(
            MediaItem.Wishes(), bytes: 10, of: ann, quota: .init(Int64(1000)))
        var file: UploadFile? = try await house.library.openUpload(item, at: 0, isToBeChecked: false)
        #expect(file != nil)
        let path = house.library.uploads.file(item.id)
        await #expect(throws: UploadRefusal.library(.busy(path: path))) {
            _ = try await other.library.openUpload(item, at: 0, isToBeChecked: false)
        }
        file = nil
        _ = try await other.library.openUpload(item, at: 0, isToBeChecked: false)
    }
}
