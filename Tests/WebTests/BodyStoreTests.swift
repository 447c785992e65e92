import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

/// How much of what strangers send lies on a server at once.
@Suite struct BodyStoreTests {
    private func holder(_ address: String) -> AddressShares.Holder { AddressShares.Holder(text: address) }

    private func request(_ bytes: [UInt8]) -> Request {
        Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/"),
            body: Hummingbird.RequestBody(asyncSequence: Pieces(bytes: bytes, count: 1000)))
    }

    @Test func `an address has its share and no more, and gets it back`() throws {
        let budget = ByteBudget(total: 300, perHolder: 100)
        let lease = budget.lease(for: holder("192.0.2.1"))
        try lease.charge(60)
        try lease.charge(40)
        let second = budget.lease(for: holder("192.0.2.1"))
        #expect(throws: Problem.self) { try second.charge(1) }
        do { try second.charge(Int.max) } catch { #expect(error.status == .tooManyRequests && error.retryAfter == 5) }
        try budget.lease(for: holder("192.0.2.2")).charge(100)
        withExtendedLifetime(lease) {}
        #expect(budget.bytes <= 100)
    }

    @Test func `a household with very many IPv6 addresses has one share`() throws {
        let budget = ByteBudget(total: 300, perHolder: 100)
        let lease = budget.lease(for: holder("2001:db8:1:2::1"))
        try lease.charge(100)
        #expect(throws: Problem.self) { try budget.lease(for: holder("2001:db8:1:2:3:4:5:6")).charge(1) }
        try budget.lease(for: holder("2001:db8:1:3::1")).charge(1)
        withExtendedLifetime(lease) {}
    }

    @Test func `all addresses together have no more than the whole`() throws {
        let budget = ByteBudget(total: 300, perHolder: 100)
        let leases = try (1...3).map { number in
            let lease = budget.lease(for: holder("192.0.2.\(number)"))
            try lease.charge(100)
            return lease
        }
        do { try budget.lease(for: holder("192.0.2.4")).charge(1) } catch {
            #expect(error.status == .serviceUnavailable)
        }
        #expect(budget.bytes == 300)
        withExtendedLifetime(leases) {}
    }

    @Test func `who has not signed in has a small share, beside that of those who have`() throws {
        let budget = ByteBudget(total: 300, perHolder: 100, perStranger: 10)
        let stranger = budget.lease(for: holder("192.0.2.1"), isStranger: true)
        try stranger.charge(10)
        do { try budget.lease(for: holder("192.0.2.1"), isStranger: true).charge(1) } catch {
            #expect(error.status == .tooManyRequests)
        }
        let member = budget.lease(for: holder("192.0.2.1"))
        try member.charge(100)
        #expect(throws: Problem.self) { try member.charge(1) }
        #expect(budget.bytes == 110)
        withExtendedLifetime((stranger, member)) {}
    }

    @Test func `however much lies here, a small form finds room`() throws {
        let (small, most) = (8 << 10, 100 << 10)
        let budget = ByteBudget(total: most, perHolder: most, keptForSmall: 10 << 10)
        let large = budget.lease(for: holder("192.0.2.1"))
        try large.charge(90 << 10)
        do { try large.charge(1) } catch { #expect(error.status == .serviceUnavailable) }
        let form = budget.lease(for: holder("192.0.2.2"))
        try form.charge(small)
        // What began as a small one is none from there on.
        #expect(throws: Problem.self) { try form.charge(1) }
        #expect(budget.bytes == 98 << 10)
        withExtendedLifetime((large, form)) {}
    }

    @Test func `three networks of strangers leave most of the memory to others`() throws {
        let memory = BodyStore(folder: "/tmp").memory
        var leases: [ByteBudget.Lease] = []
        for number in 1...3 {
            for _ in 0..<64 {
                let lease = memory.lease(for: holder("192.0.2.\(number)"), isStranger: true)
                try? lease.charge(256 << 10)
                leases.append(lease)
            }
        }
        #expect(memory.bytes <= 6 << 20)
        try memory.lease(for: holder("192.0.2.4"), isStranger: true).charge(1000)
        withExtendedLifetime(leases) {}
    }

    @Test func `what was charged comes back when its requests are over`() throws {
        let budget = ByteBudget(total: 300, perHolder: 100)
        for _ in 0..<10 { try budget.lease(for: holder("192.0.2.1")).charge(100) }
        #expect(budget.bytes == 0)
    }

    @Test func `a form that is not there in time is refused`() async throws {
        let budget = ByteBudget(total: 1 << 20, perHolder: 1 << 20)
        let lease = budget.lease(for: holder("192.0.2.1"))
        let late = BodyStore.counted(request([1, 2, 3]), lease, until: .now - .seconds(1))
        let refused = await #expect(throws: Hummingbird.HTTPError.self) { try await late.body.collect(upTo: 100) }
        #expect(refused?.status == .requestTimeout)
        let early = BodyStore.counted(request([1, 2, 3]), lease, until: .now + .seconds(3600))
        #expect(try await early.body.collect(upTo: 100).readableBytes == 3)
    }

    @Test func `a file that was sent has no name, and is there until nobody holds it`() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<200_001).map { UInt8(truncatingIfNeeded: $0) }
        var context = try WebContext.stranger()
        let memory = ByteBudget(total: 1 << 20, perHolder: 1 << 20)
        context.bodies = BodyStore(folder: folder.url.path, memory: memory)
        let file = try await context.receive(request(bytes), upTo: bytes.count)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        #expect(file.count == bytes.count && memory.bytes == 0)
        try await file.withBytes {
            #expect($0 == bytes)
            #expect(memory.bytes == bytes.count)
        }
        #expect(memory.bytes == 0)
        var pieces: [UInt8] = []
        try await file.pieces(of: 65_536) { pieces += $0.readableBytesView }
        let beginning = try file.prefix(12)
        #expect(pieces == bytes && beginning == Array(bytes.prefix(12)))
        try await file.write(to: folder.path("kept"))
        #expect(try Data(contentsOf: URL(filePath: folder.path("kept"))) == Data(bytes))
    }

    @Test func `a file that is too long, or empty, is refused`() async throws {
        let folder = try TemporaryFolder()
        var context = try WebContext.stranger()
        context.bodies = BodyStore(folder: folder.url.path)
        let long = await #expect(throws: Hummingbird.HTTPError.self) {
            try await context.receive(request(Array(repeating: 1, count: 1001)), upTo: 1000)
        }
        #expect(long?.status == .contentTooLarge)
        let none = await #expect(throws: Problem.self) { try await context.receive(request([]), upTo: 1000) }
        #expect(none?.status == .unprocessableContent)
    }

    @Test func `files on their way share the room of the disk that they may have`() async throws {
        let folder = try TemporaryFolder()
        let store = BodyStore(folder: folder.url.path, disk: ByteBudget(total: 4000, perHolder: 2000))
        var (one, other) = (try WebContext.stranger("192.0.2.1"), try WebContext.stranger("192.0.2.2"))
        (one.bodies, other.bodies) = (store, store)
        do {
            let file = try await one.receive(request(Array(repeating: 1, count: 2000)), upTo: 9000)
            let refused = await #expect(throws: Problem.self) {
                try await one.receive(request([1]), upTo: 9000)
            }
            #expect(refused?.status == .tooManyRequests)
            _ = try await other.receive(request(Array(repeating: 1, count: 2000)), upTo: 9000)
            withExtendedLifetime(file) {}
        }
        _ = try await one.receive(request([1]), upTo: 9000)
    }
}
