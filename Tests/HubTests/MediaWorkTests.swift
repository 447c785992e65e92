import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpStores
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// From the last byte to a clip, with something scripted that makes clips.
@Suite struct MediaWorkTests {
    private let house: HubHousehold
    private let me = AccountID(rawValue: "me")
    private static let quota = ByteCount(Int64(1_000_000))
    private let orders = Mutexed<[ClipIntake.Order]>([])

    init() throws { house = try HubHousehold() }

    /// Something that does what a script says, one line each time it is asked.
    private func work(_ script: [ClipIntake.Failure?] = []) -> MediaWork {
        let (orders, house) = (orders, house)
        let intake = ClipIntake { order throws(ClipIntake.Failure) in
            let number = orders.value.count
            orders.change { $0.append(order) }
            if number < script.count, let failure = script[number] { throw failure }
            let bytes = Array("a clip of \(order.name)".utf8)
            do {
                if let goal = order.goal {
                    try Data(bytes).write(to: URL(filePath: goal))
                    let payload = try house.payload(bytes)
                    return ClipIntake.Made(
                        bytes: payload.bytes, sha256: payload.sha256, seconds: 12.5, peaks: [1, 2], receipt: "{}")
                }
                let payload = try house.payload([UInt8](try Data(contentsOf: URL(filePath: order.input))))
                return ClipIntake.Made(bytes: payload.bytes, sha256: payload.sha256, seconds: 3, peaks: [9])
            } catch {
                throw .notNow("\(error)")
            }
        }
        return MediaWork(
            library: house.library, quota: Self.quota, intake: intake, clock: HurriedClock(),
            logger: HubHousehold.logger)
    }

    private func send(
        _ bytes: [UInt8], of owner: AccountID? = nil, _ change: (inout MediaItem.Wishes) -> Void = { _ in }
    ) async throws -> HubID {
        var wishes = MediaItem.Wishes()
        (wishes.title, wishes.fileName) = ("A title", "take.wav")
        change(&wishes)
        let item = try await house.library.beginUpload(
            wishes, bytes: Int64(bytes.count), of: owner ?? me, quota: Self.quota)
        try Data(bytes).write(to: URL(filePath: house.library.uploads.file(item.id)))
        #expect(try await house.library.completeUpload(item.id))
        return item.id
    }

    private func item(_ id: HubID) async throws -> MediaItem {
        try #require(try await house.library.mediaItem(id, of: me))
    }

    @Test func `what was sent becomes a clip of its sender, which nobody hears yet`() async throws {
        let id = try await send([1, 2, 3])
        await work().takeIn(id)
        let item = try await item(id)
        let hash = try house.payload([1, 2, 3]).sha256
        #expect(item.state == .ready && item.sha256 == hash)
        let made = try #require(item.clip)
        let clip = try #require(try await house.library.unfilteredClip(made))
        #expect(clip.owner == me && clip.title == "A title" && clip.fileName == "take.mp3" && !clip.shared)
        #expect(clip.sound == HubSound(seconds: 12.5, peaks: [1, 2]) && clip.contentType == "audio/mpeg")
        #expect(try await house.library.receipt(of: id) == "{}")
        #expect(try house.mediaNames() == ["\(clip.id).mp3"])
        #expect(!FileManager.default.fileExists(atPath: house.library.uploads.file(id)))
        #expect(orders.value.map(\.title) == ["A title"] && orders.value.map(\.name) == ["take.wav"])
    }

    @Test func `what is no sound is refused with the reason`() async throws {
        let id = try await send([1, 2, 3])
        await work([.refused("it is \u{1B}[31mnot\u{7} audio")]).takeIn(id)
        let item = try await item(id)
        #expect(item.state == .refused && item.clip == nil)
        #expect(item.why?.contains("not") == true && item.why?.contains("\u{1B}") == false)
        #expect(!FileManager.default.fileExists(atPath: house.library.uploads.file(id)))
    }

    @Test func `one death is forgiven, and the second sets it aside`() async throws {
        let (lucky, deadly) = (try await send([1]), try await send([2]))
        await work([.died]).takeIn(lucky)
        #expect(try await item(lucky).state == .ready && orders.value.count == 2)
        orders.change { $0 = [] }
        // The server dies in between; what it counted stays.
        await work([.died, .died, nil]).takeIn(deadly)
        #expect(try await item(deadly).state == .refused && orders.value.count == 2)
    }

    @Test func `what cannot be done now is tried again`() async throws {
        let id = try await send([1])
        await work([.notNow("the disk is full"), .notNow("still")]).takeIn(id)
        #expect(try await item(id).state == .ready && orders.value.count == 3)
    }

    @Test func `what fails again and again is refused, in words, whatever is said of it`() async throws {
        let id = try await send([1])
        await work([ClipIntake.Failure?](repeating: .notNow("it changed while it was read"), count: 20)).takeIn(id)
        let item = try await item(id)
        #expect(item.state == .refused && orders.value.count == 5)
        #expect(item.why?.hasPrefix("it could not be made in 5 tries") == true && item.why?.contains("read") == false)
    }

    @Test func `a full disk loses nothing, however long it is full`() async throws {
        let id = try await send([1])
        await work([ClipIntake.Failure?](repeating: .unable("no space left"), count: 20)).takeIn(id)
        #expect(try await item(id).state == .ready && orders.value.count == 21)
    }

    @Test func `what is made of a removed upload ends`() async throws {
        let id = try await send([1])
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let intake = ClipIntake { _ async throws(ClipIntake.Failure) in
            begin.yield()
            let (never, _) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            throw .notNow("interrupted")
        }
        let work = MediaWork(
            library: house.library, quota: Self.quota, intake: intake, clock: HurriedClock(),
            logger: HubHousehold.logger)
        let making = Task { await work.takeIn(id) }
        for await _ in begun { break }
        #expect(try await house.library.removeUpload(id, of: me))
        work.drop(id)
        await making.value
        #expect(try await house.library.mediaItem(id, of: me) == nil)
    }

    /// Runs until something of another account was made, beside four uploads of which a script says what becomes.
    private func runBeside(
        _ becomes: @escaping @Sendable () async -> ClipIntake.Failure
    ) async throws -> [String] {
        for number in 0..<4 { _ = try await send([UInt8(number)]) { $0.fileName = "hostile" } }
        _ = try await send([9], of: house.person("bob")) { $0.fileName = "honest" }
        let (made, tell) = AsyncStream<Void>.makeStream()
        let orders = orders
        let intake = ClipIntake { order async throws(ClipIntake.Failure) in
            orders.change { $0.append(order) }
            if order.name == "hostile" { throw await becomes() }
            tell.yield()
            throw .refused("it was its turn")
        }
        // Whatever rests, rests until the test is over.
        let work = MediaWork(
            library: house.library, quota: Self.quota, intake: intake, clock: StoppedClock(),
            logger: HubHousehold.logger)
        let running = Task { try await work.run() }
        for await _ in made { break }
        running.cancel()
        try await running.value
        return orders.value.map(\.name)
    }

    @Test(.timeLimit(.minutes(5)))
    func `what rests has no place, and what others have sent is made meanwhile`() async throws {
        #expect(try await runBeside { .notNow("it changed while it was read") }.contains("honest"))
    }

    @Test(.timeLimit(.minutes(5)))
    func `what takes for ever leaves a place for what others have sent`() async throws {
        let names = try await runBeside {
            let (never, _) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            return .notNow("interrupted")
        }
        #expect(names.sorted() == ["honest", "hostile"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `accounts take turns where there is one place`() async throws {
        let (queue, done) = (MediaQueue(places: 1), Mutexed<[HubID]>([]))
        let (all, tell) = AsyncStream<Void>.makeStream()
        let ids = (0..<5).map { _ in HubID() }
        for id in ids[..<3] { queue.add(id, of: me) }
        #expect(!queue.add(ids[0], of: me))
        for id in ids[3...] { queue.add(id, of: AccountID(rawValue: "bob")) }
        let running = Task {
            await queue.work(by: HurriedClock()) { id in
                done.change { $0.append(id) }
                if done.value.count == 5 { tell.yield() }
                return nil
            }
        }
        for await _ in all { break }
        running.cancel()
        await running.value
        #expect(done.value == [0, 3, 1, 4, 2].map { ids[$0] })
    }

    @Test func `a clip that a store sends stays byte for byte, under its id, once`() async throws {
        let (wish, bytes) = (HubID(), [UInt8]((0..<200).map { UInt8($0) }))
        let hash = try house.payload(bytes).sha256
        let expires = house.now.addingTimeInterval(1000)
        func keep(_ wishes: inout MediaItem.Wishes) {
            (wishes.kind, wishes.clip, wishes.sha256, wishes.lasting) = (.keep, wish, hash, expires)
        }
        let first = try await send(bytes, keep)
        await work().takeIn(first)
        let clip = try #require(try await house.library.unfilteredClip(wish))
        #expect(clip.sha256 == hash && clip.bytes == 200 && clip.expires == expires)
        #expect([UInt8](try Data(contentsOf: URL(filePath: house.library.media.file(wish)))) == bytes)
        // The sender has lost every answer and sends it again.
        var wishes = MediaItem.Wishes()
        (wishes.title, wishes.fileName) = ("A title", "take.wav")
        keep(&wishes)
        let again = try await house.library.beginUpload(wishes, bytes: 200, of: me, quota: Self.quota)
        #expect(again.id == first && again.state == .ready && orders.value.count == 1)
        // Other bytes never take its place.
        wishes.sha256 = String(repeating: "0", count: 64)
        do throws(UploadRefusal) {
            _ = try await house.library.beginUpload(wishes, bytes: 2, of: me, quota: Self.quota)
            Issue.record("other bytes were begun under the name of a clip")
        } catch { #expect(error == .taken) }
        #expect([UInt8](try Data(contentsOf: URL(filePath: house.library.media.file(wish)))) == bytes)
    }

    @Test func `what is not what was promised is refused before anything reads it`() async throws {
        let id = try await send([1]) { $0.sha256 = String(repeating: "0", count: 64) }
        await work().takeIn(id)
        #expect(try await item(id).state == .refused && orders.value.isEmpty)
    }

    @Test func `what was ended meanwhile becomes nothing`() async throws {
        let id = try await send([1])
        #expect(try await house.library.removeUpload(id, of: me))
        await work().takeIn(id)
        #expect(orders.value.isEmpty)
    }

    @Test func `a server takes up what an earlier one left, two at a time`() async throws {
        let bob = try await house.person("bob")
        for number in 0..<6 { _ = try await send([UInt8(number)], of: number % 2 == 0 ? me : bob) }
        let busy = Mutexed((now: 0, most: 0))
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let intake = ClipIntake { _ throws(ClipIntake.Failure) in
            busy.change {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            for _ in 0..<20 { await Task.yield() }
            busy.change { $0.now -= 1 }
            begin.yield()
            throw .refused("nothing")
        }
        let work = MediaWork(
            library: house.library, quota: Self.quota, intake: intake, clock: HurriedClock(),
            logger: HubHousehold.logger)
        let running = Task { try await work.run() }
        var count = 0
        for await _ in begun {
            count += 1
            if count == 6 { break }
        }
        running.cancel()
        try await running.value
        #expect((1...2).contains(busy.value.most))
    }

    @Test func `Mastodon's clients send a form, ask how far it is, describe it and post it`() async throws {
        let settings = try HubHousehold.settings()
        try await house.application(settings).application().test(.router) { client in
            let ann = try await Member("ann", at: house, client)
            let eve = try await Member("eve", at: house, client)
            let form = """
                --x\r\nContent-Disposition: form-data; name="description"\r\n\r\nA horn\r\n--x\r\n\
                Content-Disposition: form-data; name="file"; filename="horn.wav"\r\n\r\nsound\r\n--x--\r\n
                """
            let type: HTTPFields = [.contentType: "multipart/form-data; boundary=x"]
            let sent = try await ann.ask(.post, "/api/v2/media", type, ByteBuffer(string: form))
            #expect(sent.status == .accepted && sent.text.contains("\"url\":null"))
            #expect(sent.text.contains("\"type\":\"audio\"") && sent.text.contains("\"description\":\"A horn\""))
            let id = try #require(sent.text.firstMatch(of: #/"id":"([^"]*)"/#).map { String($0.1) })
            #expect(try await ann.ask(.get, "/api/v1/media/\(id)").status == .partialContent)
            #expect(try await eve.ask(.get, "/api/v1/media/\(id)").status == .notFound)
            await work().takeIn(try #require(HubID(id)))
            let ready = try await ann.ask(.get, "/api/v1/media/\(id)")
            #expect(ready.status == .ok && ready.text.contains("\"length\":\"0:00:12.50\""))
            #expect(ready.text.contains("\"url\":\"\(HubHousehold.publicURL)/media/"))
            let json: HTTPFields = [.contentType: "application/json"]
            let words = ByteBuffer(string: #"{"description":"A \"loud\" horn"}"#)
            let described = try await ann.ask(.put, "/api/v1/media/\(id)", json, words)
            #expect(described.status == .ok && described.text.contains(#"A \"loud\" horn"#))
            #expect(try await eve.ask(.put, "/api/v1/media/\(id)", json, words).status == .notFound)
            let post = try await ann.ask(
                .post, "/api/v1/statuses", json, ByteBuffer(string: #"{"status":"Hear","media_ids":["\#(id)"]}"#))
            #expect(post.status == .ok)
            #expect(orders.value.map(\.name) == ["horn.wav"])

            // What was cut off leaves nothing.
            let cut = try await ann.ask(.post, "/api/v2/media", type, ByteBuffer(string: String(form.dropLast(8))))
            #expect(cut.status == .badRequest)
            #expect(try FileManager.default.contentsOfDirectory(atPath: house.folder.path("hub/uploads")).isEmpty)
            #expect(try await ann.ask(.post, "/api/v2/media", type, ByteBuffer(string: "--x--")).status.code == 422)

            // Something sent by tus.
            let begun = try await ann.ask(
                .post, "/api/uploads",
                [
                    .contentType: "application/offset+octet-stream",
                    try #require(HTTPField.Name("Tus-Resumable")): "1.0.0",
                    try #require(HTTPField.Name("Upload-Length")): "3",
                ], ByteBuffer(string: "abc"))
            let upload = String(begun.location.split(separator: "/").last ?? "")
            let typed: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let taken = try await ann.ask(
                .post, "/api/v2/media", typed, ByteBuffer(string: "upload=\(upload)&description=Tus"))
            #expect(taken.status == .accepted && taken.text.contains("\"description\":\"Tus\""))
            orders.change { $0 = [] }
            await work([.refused("it is no sound")]).takeIn(try #require(HubID(upload)))
            let refused = try await ann.ask(.get, "/api/v1/media/\(upload)")
            #expect(refused.status.code == 422 && refused.text.contains("it is no sound"))
            let state = try await ann.ask(.get, "/api/hub/v1/uploads/\(upload)").text
            #expect(state.contains("\"state\":\"refused\"") && state.contains("\"why\":\"it is no sound\""))
        }
    }
}
