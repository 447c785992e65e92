import ChirpCommunity
import ChirpCore
import ChirpOwnHub
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Backups by themselves, into a folder, with a clock that tests set.
@Suite struct ScheduledBackupsTests {
    private static let day = 86_400.0
    private let house: HubHousehold
    private let events = Mutexed<[ScheduledBackups.Event]>([])

    init() throws { house = try HubHousehold() }

    private var hub: String { house.folder.path("hub") }

    private func folder(_ name: String = "shelf") -> FolderStore {
        FolderStore(FolderStore.Settings(path: house.folder.path(name)))
    }

    private func schedule(
        _ store: (any ListingStore)? = nil, keep: Int = 3,
        wait: @escaping @Sendable (Duration) async throws -> Void = { _ in throw CancellationError() }
    ) -> ScheduledBackups {
        let (house, events) = (house, events)
        return ScheduledBackups(
            HubBackup(folder: hub, program: "1.2.3", now: { house.now }), to: BackupShelf(store ?? folder()),
            plan: ScheduledBackups.Plan(every: Self.day, keep: keep), now: { house.now }, wait: wait,
            report: { event in events.change { $0.append(event) } })
    }

    /// As after a start: what was done is read from the folder.
    private func lookAfterStart(_ schedule: ScheduledBackups) async {
        var diary = BackupDiary(folder: hub)
        await schedule.look(&diary)
    }

    private func names(_ folder: String = "shelf") -> [String] {
        let path = house.folder.path(folder)
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    private func failures() -> [String] {
        events.value.compactMap { event in if case .failed(let why) = event { why } else { nil } }
    }

    @Test func `a backup is made when it is due, and not before, restarts or not`() async throws {
        try await house.publish()
        let first = BackupName(HubHousehold.start)
        await lookAfterStart(schedule())
        #expect(names() == [first.text])
        for seconds in [60, Self.day - 120, 59] {
            house.wait(seconds)
            await lookAfterStart(schedule())
            #expect(names() == [first.text], "\(seconds)")
        }
        house.wait(1)
        await lookAfterStart(schedule())
        #expect(names() == [first.text, BackupName(house.now).text])
        let last = try #require(BackupDiary(folder: hub).last)
        #expect(last.name == BackupName(house.now).text && last.place == "folder \(house.folder.path("shelf"))")
        let path = house.folder.path("shelf/\(last.name)")
        #expect(try Data(contentsOf: URL(filePath: path)).count == Int(last.bytes))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(failures().isEmpty)
        // Nothing is left beside the hub.
        #expect(try house.folder.names().allSatisfy { !$0.hasPrefix(".chirp") })
    }

    @Test func `a clock that was set back does not put the next one off for years`() async throws {
        house.wait(1000 * Self.day)
        await lookAfterStart(schedule())
        house.wait(-1000 * Self.day)
        await lookAfterStart(schedule())
        #expect(names().count == 2)
    }

    @Test func `another place has none yet`() async throws {
        await lookAfterStart(schedule())
        await lookAfterStart(schedule(folder("other")))
        #expect(names("other") == names("shelf"))
    }

    @Test func `so many stay as are to be kept, and what is no backup stays in any case`() async throws {
        let strangers = ["hub-20261399T000000Z.tar", "hub-mine.tar", "letters.tar", "take.mp3"]
        try FileManager.default.createDirectory(
            atPath: house.folder.path("shelf"), withIntermediateDirectories: true)
        for name in strangers { try Data("x".utf8).write(to: URL(filePath: house.folder.path("shelf/\(name)"))) }
        var made: [String] = []
        for _ in 0..<5 {
            made.append(BackupName(house.now).text)
            await lookAfterStart(schedule(keep: 2))
            house.wait(Self.day)
        }
        #expect(names() == (made.suffix(2) + strangers).sorted())
        await lookAfterStart(schedule(keep: 1))
        #expect(names().count == 1 + strangers.count)
    }

    @Test func `the newest stays even when the clock once ran ahead`() async throws {
        house.wait(100 * Self.day)
        await lookAfterStart(schedule(keep: 1))
        house.wait(-100 * Self.day)
        await lookAfterStart(schedule(keep: 1))
        #expect(names() == [BackupName(house.now).text])
    }

    @Test func `what fails is tried again after a minute, then ever later, and costs no older one`() async throws {
        await lookAfterStart(schedule(keep: 1))
        let old = names()
        house.wait(Self.day)
        let refusals = [StoreError](repeating: .refused(status: 403, detail: "not today"), count: 9)
        let schedule = schedule(StubbornShelf(folder(), [.beforeSave: refusals]), keep: 1)
        for (number, minutes) in [1, 2, 4, 8, 16, 32, 60, 60, 60].enumerated() {
            await lookAfterStart(schedule)
            #expect(failures().count == number + 1)
            #expect(names() == old)
            let failure = try #require(BackupDiary(folder: hub).failure)
            #expect(failure.times == number + 1 && failure.why.contains("not today"))
            house.wait(Double(minutes) * 60 - 2)
            await lookAfterStart(schedule)
            #expect(failures().count == number + 1, "\(minutes)")
            house.wait(2)
        }
        await lookAfterStart(schedule)
        #expect(names() == [BackupName(house.now).text])
        #expect(BackupDiary(folder: hub).failure == nil)
    }

    @Test func `a death between saving and writing that down costs nothing`() async throws {
        await lookAfterStart(schedule(keep: 1))
        house.wait(Self.day)
        let diary = try Data(contentsOf: URL(filePath: "\(hub)/backups.json"))
        await lookAfterStart(schedule(keep: 2))
        #expect(names().count == 2)
        try diary.write(to: URL(filePath: "\(hub)/backups.json"))
        house.wait(60)
        await lookAfterStart(schedule(keep: 2))
        #expect(names().count == 2 && names().last == BackupName(house.now).text)
    }

    @Test func `older ones that cannot be removed go with the next`() async throws {
        await lookAfterStart(schedule(keep: 1))
        house.wait(Self.day)
        let store = StubbornShelf(folder(), [.remove: [.forbidden("no")]])
        await lookAfterStart(schedule(store, keep: 1))
        #expect(names().count == 2)
        #expect(events.value.contains { if case .unfinished = $0 { true } else { false } })
        #expect(failures().isEmpty)
        house.wait(Self.day)
        await lookAfterStart(schedule(store, keep: 1))
        #expect(names() == [BackupName(house.now).text])
    }

    @Test func `a diary that is none is as if there were none`() async throws {
        for text in ["", "[]", "{\"v\":1,\"last\":7}", String(repeating: "x", count: 100_000)] {
            try Data(text.utf8).write(to: URL(filePath: "\(hub)/backups.json"))
            #expect(BackupDiary(folder: hub) == BackupDiary())
        }
    }

    @Test func `it looks once a minute until it is ended`() async throws {
        let (house, waits) = (house, Mutexed<[Duration]>([]))
        let schedule = schedule(wait: { duration in
            waits.change { $0.append(duration) }
            guard waits.value.count <= 3 else { throw CancellationError() }
            house.wait(Self.day)
        })
        await schedule.run()
        #expect(waits.value == [Duration](repeating: .seconds(60), count: 4))
        #expect(names().count == 3)
    }
}
