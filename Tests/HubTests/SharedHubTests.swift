import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HubHousehold
import ServiceLifecycle
import Synchronization
import Testing

/// Several processes that serve one library. Each household is such a process, with connections of its own to the same files.
@Suite struct SharedHubTests {
    /// What one process says, all others hear.
    private final class Wire: Sendable {
        private let ears = Mutex<[Int: @Sendable () -> Void]>([:])
        private let isUp = Mutex(true)

        func signals(_ number: Int) -> HubSignals {
            HubSignals(
                tell: { [self] in
                    guard isUp.withLock({ $0 }) else { return }
                    for (other, ear) in ears.withLock({ $0 }) where other != number { ear() }
                }, areComing: { [self] in isUp.withLock { $0 } },
                hear: { [self] heard in
                    ears.withLock { $0[number] = heard }
                    await untilCancelled()
                })
        }

        func cut() { isUp.withLock { $0 = false } }
    }

    private func application(
        _ house: HubHousehold, _ signals: HubSignals? = nil, intake: ClipIntake? = nil,
        _ onRunning: @escaping @Sendable (Int) -> Void
    ) throws -> HubApplication {
        var settings = try HubSettings(HubAddress(port: 0, publicURL: HubHousehold.publicURL))
        settings.grace = .seconds(600)
        settings.boards = []
        var application = HubApplication(
            settings: settings, library: house.library, logger: HubHousehold.logger, intake: intake,
            onRunning: { onRunning($0) })
        application.duty = try DutyLock(folder: house.library.folder)
        application.signals = signals
        return application
    }

    /// Serves one library by two processes for the time of a closure, which may end the first.
    private func withTwo(
        _ wire: Wire? = nil, intakes: [ClipIntake?] = [nil, nil],
        _ body:
            @Sendable (_ houses: [HubHousehold], _ ports: [Int], _ endFirst: @Sendable () async -> Void) async throws
            -> Void
    ) async throws {
        let house = try HubHousehold()
        let houses = [house, try HubHousehold(sharing: house)]
        let running = (0..<2).map { _ in AsyncStream<Int>.makeStream() }
        let groups = try (0..<2).map { number in
            ServiceGroup(
                services: [
                    try application(houses[number], wire?.signals(number), intake: intakes[number]) {
                        running[number].continuation.yield($0)
                    }
                ], logger: HubHousehold.logger)
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            var ports: [Int] = []
            for number in 0..<2 {
                tasks.addTask {
                    defer { running[number].continuation.finish() }
                    try await groups[number].run()
                }
                var iterator = running[number].stream.makeAsyncIterator()
                guard let port = await iterator.next() else { return try await tasks.waitForAll() }
                ports.append(port)
            }
            do { try await body(houses, ports) { await groups[0].triggerGracefulShutdown() } } catch {
                for group in groups { await group.triggerGracefulShutdown() }
                throw error
            }
            for group in groups { await group.triggerGracefulShutdown() }
            try await tasks.waitForAll()
        }
    }

    private func ids(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    @Test(arguments: ["polling", "signals", "signals that are lost"])
    func `whoever listens at either hears every post once and in order`(_ way: String) async throws {
        let wire = way == "polling" ? nil : Wire()
        try await withTwo(wire) { houses, ports, _ in
            let answers = try (0..<6).map { number in
                try #require(OpenAnswer(port: ports[number % 2], path: "/api/v1/events", from: "127.0.0.\(number + 2)"))
            }
            for answer in answers { _ = try #require(await answer.lines { $0 == "id: 0" }) }
            for number in 1...20 {
                if number == 10, way == "signals that are lost" { wire?.cut() }
                try await houses[number % 2].post("post \(number)")
            }
            for answer in answers {
                let lines = try #require(await answer.lines { $0 == "id: 20" })
                #expect(ids(lines) == (1...20).map(String.init))
            }
        }
    }

    @Test func `a process that does not share the library keeps the others out, and is kept out by them`() async throws
    {
        try await withTwo { houses, _, _ in
            let alone = try HubHousehold(sharing: houses[0]).application(HubSettings(HubAddress(port: 0)))
            let error = await #expect(throws: HubError.self) { try await alone.run() }
            #expect(error == .alreadyServed(folder: houses[0].folder.path("hub"), isShared: false))
        }
        let house = try HubHousehold()
        try await withLiveHub(house) { _ in
            let second = try application(HubHousehold(sharing: house)) { _ in }
            let error = await #expect(throws: HubError.self) { try await second.run() }
            #expect(error == .alreadyServed(folder: house.folder.path("hub"), isShared: true))
        }
    }

    @Test func `what one process receives the one on duty makes, and the other when that one has ended`() async throws {
        let makers = Mutex<[Int]>([])
        let intakes = (0..<2).map { number in
            ClipIntake { (_) async throws(ClipIntake.Failure) -> ClipIntake.Made in
                makers.withLock { $0.append(number) }
                throw .refused("made by \(number)")
            }
        }
        try await withTwo(intakes: intakes) { houses, _, endFirst in
            // Whatever receives it: its rows and bytes are all that the two have of it.
            let library = try HubHousehold(sharing: houses[0]).library
            let ann = try await houses[1].person("ann")
            func received() async throws -> HubID {
                let item = try await library.beginUpload(
                    MediaItem.Wishes(), bytes: 4, of: ann, quota: .init(Int64(1_000_000)))
                let file = try await library.openUpload(item, at: 0, isToBeChecked: false)
                try Array("clip".utf8).withUnsafeBytes { try file.write($0) }
                try await library.endUpload(file, of: item, isChecked: false, keepsAll: true)
                #expect(try await library.completeUpload(item.id))
                return item.id
            }
            func settled(_ id: HubID) async throws -> String? {
                try await until { try await library.mediaItem(id, of: ann)?.state == .refused }
                return try await library.mediaItem(id, of: ann)?.why
            }
            #expect(try await settled(try await received()) == "made by 0")
            await endFirst()
            #expect(try await settled(try await received()) == "made by 1")
        }
        #expect(makers.withLock { $0 } == [0, 1])
    }
}
