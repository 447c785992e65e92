import ChirpAudio
import ChirpClips
import ChirpCore
import ChirpFiles
import ChirpFleet
import ChirpFlows
import ChirpJournal
import ChirpTestKit
import Foundation
import Synchronization
import Testing

// W-8: who is to blame when workers die. All against a real server.
@Suite struct FleetBlameTests {
    /// What making does in these tests before it makes, by the name of the recording; counts what is made at once.
    private final class Fate: Sendable {
        private let state = Mutex((running: 0, most: 0, tries: [String: Int]()))
        private let surprise: @Sendable (_ name: String, _ attempt: Int) throws(AudioError) -> Void

        init(_ surprise: @escaping @Sendable (_ name: String, _ attempt: Int) throws(AudioError) -> Void) {
            self.surprise = surprise
        }

        var most: Int { state.withLock { $0.most } }
        func tries(_ name: String) -> Int { state.withLock { $0.tries[name] ?? 0 } }

        @Sendable func make(_ making: Transcoding, _ path: String) throws(AudioError) -> Transcoding.Made {
            let name = making.request.source.name
            let attempt = state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
                state.tries[name, default: 0] += 1
                return state.tries[name] ?? 0
            }
            defer { state.withLock { $0.running -= 1 } }
            try surprise(name, attempt)
            return try making.run(to: path)
        }
    }

    private func order(_ home: FleetHome) -> BatchRequest {
        BatchRequest(
            source: home.folder.path("in"), target: home.folder.path("out"),
            clip: ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice))
    }

    private func flow(_ home: FleetHome, _ settings: FleetSettings) throws -> BatchFlow {
        let journal = try Journal(path: home.folder.path("state/journal.sqlite"))
        return BatchFlow(FleetBatch(settings, roots: []).ports(BatchPorts(journal: journal)))
    }

    /// Takes all jobs and lets go of them without a word, as a worker does that dies; but at once.
    ///
    /// - Parameter times: how often each of them.
    private func die(_ count: Int, of queue: JobQueue, times: Int) async throws {
        try await offPool {
            var inbox = try JobInbox(queue)
            // All of them before the first comes again: one that was given back comes before those that nobody has had.
            for _ in 0..<times {
                var held: [JobInbox.Arrival] = []
                for _ in 0..<count { held.append(try #require(try inbox.next(within: .seconds(60)))) }
                for arrival in held { try queue.giveBack(arrival.ticket, after: .zero) }
            }
        }
    }

    @Test
    func `a job that kills its process twice is out with its reason, others pay nothing, and it can be tried again`()
        async throws
    {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(12)
        let settings = try servers.settings()
        let queue = try servers.queue(settings)
        let guilty = "take-3.wav"
        let fate = Fate { (name, _) throws(AudioError) in
            if name == guilty { throw .crashed(name: name, reason: "signal 11") }
        }
        let worker = try FleetWorker(
            queue, lanes: 4, roots: [], temporary: home.folder.path("tmp"), make: fate.make)
        async let working: Void = worker.run()
        let summary = try await flow(home, settings).run(order(home))
        #expect(summary.made == 11)
        #expect(summary.failures.map(\.path.text) == [guilty])
        #expect(summary.failures.first?.reason.contains("signal 11") == true)
        #expect(fate.tries(guilty) == 2)
        #expect(worker.figures.buried == 1)
        // A person runs the batch again: it is asked for again, and its story begins anew.
        let again = try await flow(home, settings).run(order(home))
        #expect((again.made, again.unchanged, again.failures.count) == (0, 11, 1))
        #expect(fate.tries(guilty) == 4)
        worker.drain()
        try await working
        let mended = try FleetWorker(queue, lanes: 1, roots: [], temporary: home.folder.path("tmp"))
        async let mendedWorking: Void = mended.run()
        #expect(try await flow(home, settings).run(order(home)).made == 1)
        mended.drain()
        try await mendedWorking
    }

    @Test func `jobs whose workers died again and again are tried alone, and none of them is put aside`() async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(8)
        let settings = try servers.settings(tries: 2)
        let queue = try servers.queue(settings)
        let fate = Fate { (name, attempt) throws(AudioError) in
            // What deaths have used up is no part of the tries for what may pass.
            if name == "take-5.wav", attempt == 1 { throw .inputOutput(path: name, reason: "the disk was away") }
        }
        let running = Task { try await flow(home, settings).run(order(home)) }
        await until { ((try? queue.allJobs()) ?? 0) == 8 }
        try await die(8, of: queue, times: 7)
        let worker = try FleetWorker(
            queue, lanes: 4, roots: [], temporary: home.folder.path("tmp"), make: fate.make)
        async let working: Void = worker.run()
        let summary = try await running.value
        worker.drain()
        try await working
        #expect(summary.made == 8)
        #expect(summary.failures.isEmpty)
        #expect(fate.most == 1)
        #expect(fate.tries("take-5.wav") == 2)
        #expect(try queue.deadJobs() == 0)
    }

    @Test func `a job of which workers died while they held nothing else is put aside, and no other`() async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(3)
        let settings = try servers.settings()
        let queue = try servers.queue(settings)
        let running = Task { try await flow(home, settings).run(order(home)) }
        await until { ((try? queue.allJobs()) ?? 0) == 3 }
        try await die(3, of: queue, times: 2)
        let guilty = try await offPool {
            var inbox = try JobInbox(queue)
            var guilty = ""
            var deaths = 0
            while deaths < settings.deaths {
                let arrival = try #require(try inbox.next(within: .seconds(60)))
                let name = try #require(arrival.job?.name)
                if guilty.isEmpty { guilty = name }
                // Its worker says that it begins alone, and is not heard of again.
                if name == guilty {
                    try queue.tell(.alone, of: arrival.ticket, by: "worker0000")
                    deaths += 1
                    #expect(try queue.tries(of: arrival.ticket).deaths == deaths)
                }
                try queue.giveBack(arrival.ticket, after: .zero)
            }
            return guilty
        }
        let worker = try FleetWorker(queue, lanes: 2, roots: [], temporary: home.folder.path("tmp"))
        async let working: Void = worker.run()
        let summary = try await running.value
        worker.drain()
        try await working
        #expect(summary.made == 2)
        #expect(summary.failures.map(\.path.text) == [guilty])
        #expect(summary.failures.first?.reason.contains("begun alone 3 times") == true)
        #expect(try queue.deadJobs() == 1)
    }
}
