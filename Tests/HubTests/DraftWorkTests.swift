import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpStores
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// The clip of a draft, with something scripted that makes clips.
@Suite struct DraftWorkTests {
    private let house: HubHousehold
    private let me = AccountID(rawValue: "me")
    private static let quota = ByteCount(Int64(1_000_000))
    private let orders = Mutexed<[ClipIntake.Order]>([])

    init() throws { house = try HubHousehold() }

    private func begin() async throws -> HubID {
        var wishes = MediaItem.Wishes()
        (wishes.isDraft, wishes.fileName) = (true, "take.wav")
        let item = try await house.library.beginUpload(wishes, bytes: 3, of: me, quota: Self.quota)
        try Data([1, 2, 3]).write(to: URL(filePath: house.library.uploads.file(item.id)))
        #expect(try await house.library.completeUpload(item.id))
        return item.id
    }

    private func work(
        _ make: @escaping @Sendable (ClipIntake.Order, _ number: Int) async throws(ClipIntake.Failure) -> Void = {
            (_, _) throws(ClipIntake.Failure) in
        }
    ) -> MediaWork {
        let (orders, house) = (orders, house)
        let intake = ClipIntake(
            outline: { (_, columns) throws(ClipIntake.Failure) in
                HubSound(seconds: 4, peaks: [UInt8](repeating: 5, count: columns))
            }
        ) { (order) async throws(ClipIntake.Failure) in
            let number = orders.value.count
            orders.change { $0.append(order) }
            try await make(order, number)
            do {
                let bytes = Array("from \(order.from ?? -1) to \(order.to ?? -1) \(order.title)".utf8)
                try Data(bytes).write(to: URL(filePath: order.goal ?? ""))
                let payload = try house.payload(bytes)
                return ClipIntake.Made(
                    bytes: payload.bytes, sha256: payload.sha256, seconds: 2, peaks: [1, 2], receipt: "{\"v\":1}")
            } catch {
                throw .notNow("\(error)")
            }
        }
        return MediaWork(
            library: house.library, quota: Self.quota, intake: intake, clock: HurriedClock(),
            logger: HubHousehold.logger)
    }

    private func draft(_ id: HubID) async throws -> HubDraft { try #require(try await house.library.draft(id)) }

    @Test func `the clip of the whole recording is made unasked, and the picture after it`() async throws {
        let id = try await begin()
        await work().takeIn(id)
        let draft = try await draft(id)
        #expect(draft.state == .ready && draft.isSettled && draft.made?.receipt == "{\"v\":1}")
        #expect(draft.recording?.seconds == 4 && draft.recording?.peaks.count == HubDraft.mostPeaks)
        let order = try #require(orders.value.first)
        #expect(orders.value.count == 1 && order.from == nil && order.to == nil && order.id == draft.take.text)
        #expect(order.goal == house.library.media.file(draft.take) && order.name == "take.wav")
        #expect(order.sha256 == (try house.payload([1, 2, 3]).sha256))
        #expect(FileManager.default.fileExists(atPath: house.library.uploads.file(id)))
        // There is nothing more to do, also for the next process.
        await work().takeIn(id)
        #expect(orders.value.count == 1)
        #expect(try await house.library.waitingMedia().isEmpty)
    }

    @Test func `another part is made anew, and the older clip goes`() async throws {
        let id = try await begin()
        let work = work()
        await work.takeIn(id)
        let old = try await draft(id)
        _ = try await house.library.change(id, of: me, to: .init(title: "A horn", from: 0.5, to: 1.5), text: "")
        await work.takeIn(id)
        let new = try await draft(id)
        #expect(new.take != old.take && new.state == .ready)
        #expect(try house.mediaNames() == ["\(new.take).mp3"])
        #expect(orders.value.map(\.from) == [nil, 0.5] && orders.value.map(\.title) == ["", "A horn"])
        #expect(Set(orders.value.map(\.sha256)).count == 1)
    }

    @Test func `a newer wish ends what an older one has begun`() async throws {
        let id = try await begin()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let work = work { (_, number) async throws(ClipIntake.Failure) in
            guard number == 0 else { return }
            begin.yield()
            // Until it is ended.
            let (never, _) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            throw .notNow("interrupted")
        }
        let making = Task { await work.takeIn(id) }
        for await _ in begun { break }
        _ = try await house.library.change(id, of: me, to: .init(title: "", from: 1, to: 2), text: "")
        work.renew(id, of: me)
        await making.value
        let draft = try await draft(id)
        #expect(draft.state == .ready && orders.value.map(\.from) == [nil, 1])
        #expect(try house.mediaNames() == ["\(draft.take).mp3"])
    }

    @Test func `what is refused can be cut otherwise`() async throws {
        let id = try await begin()
        let work = work { (order, _) async throws(ClipIntake.Failure) in
            if order.from == nil { throw .refused("it is \u{1B}silent") }
        }
        await work.takeIn(id)
        var draft = try await draft(id)
        #expect(draft.state == .refused && draft.why == "it is silent" && draft.recording != nil)
        #expect(FileManager.default.fileExists(atPath: house.library.uploads.file(id)))
        _ = try await house.library.change(id, of: me, to: .init(title: "", from: 1, to: nil), text: "")
        await work.takeIn(id)
        draft = try await self.draft(id)
        #expect(draft.state == .ready && draft.why == nil)
    }

    @Test func `two deaths of what reads it refuse that part`() async throws {
        let id = try await begin()
        let work = work { (order, _) async throws(ClipIntake.Failure) in
            if order.from == nil { throw .died }
        }
        await work.takeIn(id)
        #expect(try await draft(id).state == .refused && orders.value.count == 2)
        _ = try await house.library.change(id, of: me, to: .init(title: "", from: 1, to: nil), text: "")
        await work.takeIn(id)
        #expect(try await draft(id).state == .ready)
    }

    @Test func `what cannot be done now is tried again`() async throws {
        let id = try await begin()
        let work = work { (_, number) async throws(ClipIntake.Failure) in
            if number < 2 { throw .notNow("the disk is full") }
        }
        await work.takeIn(id)
        #expect(try await draft(id).state == .ready && orders.value.count == 3)
    }

    @Test func `what fails again and again is refused, and the recording keeps its picture`() async throws {
        let id = try await begin()
        let work = work { (_, _) throws(ClipIntake.Failure) in throw .notNow("it changed while it was read") }
        await work.takeIn(id)
        let draft = try await draft(id)
        #expect(draft.state == .refused && draft.why?.hasPrefix("it could not be made in 5 tries") == true)
        #expect(draft.recording?.seconds == 4 && orders.value.count == 5)
        #expect(FileManager.default.fileExists(atPath: house.library.uploads.file(id)))
    }

    @Test func `what is made of a deleted draft ends`() async throws {
        let id = try await begin()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let work = work { (_, _) async throws(ClipIntake.Failure) in
            begin.yield()
            let (never, _) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            throw .notNow("interrupted")
        }
        let making = Task { await work.takeIn(id) }
        for await _ in begun { break }
        #expect(try await house.library.removeDraft(id, of: me))
        work.drop(id)
        await making.value
        #expect(try await house.library.draft(id) == nil && house.mediaNames().isEmpty)
    }

    @Test func `a draft that is deleted while its clip is made leaves nothing`() async throws {
        let id = try await begin()
        let house = house
        let work = work { (_, _) async throws(ClipIntake.Failure) in
            _ = try? await house.library.removeDraft(id, of: AccountID(rawValue: "me"))
        }
        await work.takeIn(id)
        #expect(try await house.library.draft(id) == nil)
        #expect(try house.mediaNames().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: house.library.uploads.file(id)))
    }
}
