import ChirpFleet
import ChirpTestKit
import Foundation
import Synchronization
import Testing

/// Processes that tell each other of changes over NATS.
@Suite struct ChangeSignalsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func signals(_ servers: NatsServers, name: String = "name") throws -> ChangeSignals {
        try ChangeSignals(try servers.settings(), name: folder.path(name), pause: .milliseconds(50))
    }

    /// How often somebody was called.
    private final class Count: Sendable {
        private let count = Mutex(0)
        var now: Int { count.withLock { $0 } }
        func up() { count.withLock { $0 += 1 } }
    }

    /// Tells again and again until the other has heard: while a connection is made anew what is told may be lost.
    private func talk(_ speaker: ChangeSignals, _ heard: Count) async throws {
        let before = heard.now
        let isHeard = await until {
            speaker.tell()
            return heard.now > before
        }
        #expect(isHeard)
    }

    @Test func `one process tells, the other hears it, and not itself`() async throws {
        let servers = try NatsServers()
        let (one, two, foreign) = (
            try signals(servers), try signals(servers), try signals(servers, name: "another")
        )
        let (ones, twos, foreigns) = (Count(), Count(), Count())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await one.hear { ones.up() } }
            group.addTask { await two.hear { twos.up() } }
            group.addTask { await foreign.hear { foreigns.up() } }
            // Each is called once when it is connected.
            let areConnected = await until {
                one.areComing && two.areComing && foreign.areComing && ones.now == 1
                    && twos.now == 1 && foreigns.now == 1
            }
            #expect(areConnected)
            try await talk(one, twos)
            let mine = ones.now
            try await talk(two, ones)
            #expect(mine == 1 && foreigns.now == 1)
            group.cancelAll()
        }
        #expect(!one.areComing)
    }

    @Test func `signals go on when a server of three is killed, and when the only one comes back`() async throws {
        let servers = try NatsServers(3)
        let (one, two) = (try signals(servers), try signals(servers))
        let (ones, twos) = (Count(), Count())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await one.hear { ones.up() } }
            group.addTask { await two.hear { twos.up() } }
            try await talk(one, twos)
            for killed in 0..<3 {
                servers.kill(killed)
                try await talk(one, twos)
                try await talk(two, ones)
                try servers.start(killed)
            }
            for killed in 0..<3 { servers.kill(killed) }
            #expect(await until { !one.areComing && !two.areComing })
            let before = twos.now
            one.tell()
            for started in 0..<3 { try servers.start(started) }
            // What was told meanwhile is heard, and nobody has to tell again.
            #expect(await until { one.areComing && two.areComing && twos.now > before })
            group.cancelAll()
        }
    }

    @Test func `servers that are not there yet are waited for`() async throws {
        let servers = try NatsServers()
        servers.kill(0)
        let failures = Count()
        let late = try ChangeSignals(
            try servers.settings(), name: folder.path("name"), pause: .milliseconds(50)
        ) { _ in failures.up() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await late.hear {} }
            #expect(await until { failures.now > 0 })
            #expect(!late.areComing)
            try servers.start(0)
            #expect(await until { late.areComing })
            group.cancelAll()
        }
    }
}
