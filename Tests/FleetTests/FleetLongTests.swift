import ChirpAudio
import ChirpClips
import ChirpFleet
import ChirpFlows
import ChirpJournal
import ChirpTestKit
import Foundation
import Glibc
import Synchronization
import Testing

// W-8, OU-8. Some minutes each; their figures are those of Docs/fleet.md.
// One at a time: they measure, and each takes the whole machine.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] == "1"))
struct FleetLongTests {
    private func memory(of pid: pid_t) -> String {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }.map(String.init) ?? "unknown"
    }

    @Test func `three servers, three workers, two thousand jobs; workers killed at random, then the leader`()
        async throws
    {
        let count = 2000
        let servers = try NatsServers(3)
        let home = try FleetHome()
        try home.record(count)
        let queue = try servers.queue(try servers.settings(silence: .seconds(4)))
        let clock = ContinuousClock()
        let localTime = try await clock.measure {
            let local = try home.start(["batch", "in", "local"], state: "local-state")
            #expect(await local.end() == 0)
        }
        let root = ["--root", "audio=\(home.folder.url.path)"]
        func worker() throws -> FleetHome.Running {
            try home.start(["worker", "--fleet", servers.addresses, "--jobs", "1", "--json"] + root)
        }
        var workers = try (0..<3).map { _ in try worker() }
        let begin = clock.now
        let batch = try home.start(["batch", "in", "out", "--fleet", servers.addresses, "--json"] + root)
        let seed = TestSeed()
        var generator = seed.generator
        var kills = 0
        var leader: Int?
        for done in stride(from: 150, to: count, by: 150) {
            await until { batch.lineCount > done || !batch.process.isRunning }
            let victim = Int.random(in: 0..<workers.count, using: &generator)
            workers[victim].send(SIGKILL)
            kills += 1
            workers[victim] = try worker()
            if done == 750, let name = try queue.leader(), let index = Int(name.dropFirst("server-".count)) {
                servers.kill(index)
                leader = index
            }
            if done == 1350, let leader { try servers.start(leader) }
        }
        #expect(await batch.end() == 0, "\(seed): \(batch.errorsSoFar)")
        let time = clock.now - begin
        for worker in workers {
            // The last one may just have begun, and would then not know yet that it has something to finish.
            await until { worker.lines.contains { $0["event"] as? String == "ready" } }
            worker.send(SIGTERM)
        }
        for worker in workers { #expect(await worker.end() == 0, "\(seed): \(worker.errorsSoFar)") }
        #expect(leader != nil, "\(seed)")
        let result = try #require(batch.lines.last)
        let fleet = try #require(result["fleet"] as? [String: Any])
        #expect(result["made"] as? Int == count, "\(seed)")
        #expect(home.clips("out") == home.clips("local"), "\(seed)")
        let (duplicates, redelivered) = (fleet["duplicates"] as? Int ?? count, fleet["redelivered"] as? Int ?? count)
        #expect(duplicates + redelivered < count / 100, "\(seed)")
        #expect(try queue.allJobs() == 0, "\(seed)")
        #expect(try queue.deadJobs() == 0, "\(seed)")
        print(
            "FIGURE chaos, \(seed): \(kills) worker kills, leader \(leader ?? -1) killed; \(fleet); \(time), local \(localTime)"
        )
    }

    @Test(arguments: [1, 3])
    func `a hundred thousand records are asked for at once, and journal and queue agree`(replicas: Int) async throws {
        let count = 100_000
        let servers = try NatsServers(replicas)
        let queue = try servers.queue()
        let home = try FleetHome()
        // Few contents under many names: reading and naming them costs what it costs, the disk stays small.
        try home.record(100, seconds: 0.1)
        for number in 100..<count {
            let folder = home.folder.path("in/\(number / 1000)")
            if number % 1000 == 0 || number == 100 {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            #expect(link(home.folder.path("in/take-\(number % 100).wav"), "\(folder)/take-\(number).wav") == 0)
        }
        let words = [
            "batch", "in", "out", "--fleet", servers.addresses, "--json", "--root", "audio=\(home.folder.url.path)",
        ]
        var begin = ContinuousClock.now
        let batch = try home.start(words)
        await until { batch.lines.contains { $0["event"] as? String == "listed" } || !batch.process.isRunning }
        let listed = ContinuousClock.now
        await until(.seconds(600)) { ((try? queue.allJobs()) ?? 0) >= count || !batch.process.isRunning }
        let end = ContinuousClock.now
        let peak = memory(of: batch.pid)
        batch.send(SIGINT)
        #expect(await batch.end() == 130, "\(batch.errorsSoFar)")
        let journal = try Journal(path: home.folder.path("state/chirp/journal.sqlite"))
        let target = home.folder.url.resolvingSymlinksInPath().appending(path: "out").path
        let rows = try await journal.fleetJobs(in: target)
        let waiting = try queue.waiting(in: try await journal.fleetBatch(for: target))
        #expect(rows.count == count)
        #expect(Set(rows.map(\.id)) == waiting)
        let rate = Double(count) / ((end - listed) / .seconds(1))
        print(
            "FIGURE enqueue R\(replicas): listed in \(listed - begin), \(count) in \(end - listed), \(Int(rate))/s, \(peak)"
        )

        // Again: nothing is asked for twice.
        begin = ContinuousClock.now
        let again = try home.start(words)
        await until(.seconds(600)) {
            again.errorsSoFar.contains("no worker") || !again.process.isRunning
        }
        let resumed = ContinuousClock.now - begin
        let peakAgain = memory(of: again.pid)
        again.send(SIGINT)
        #expect(await again.end() == 130)
        #expect(try queue.allJobs() == count)
        print("FIGURE resume R\(replicas): all known again in less than \(resumed), \(peakAgain)")
    }
}

// W-8: 500 jobs while what makes them is killed at random: none lost, no innocent one put aside.
// One at a time: each takes the whole machine.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] == "1"))
struct FleetKillTests {
    private static let count = 500

    /// The processes that a worker has started: its lanes' children, when it has some.
    private func children(of pid: pid_t) -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return threads.flatMap { thread in
            let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// - Parameter hitsChildren: kills are those of children of lanes, where there are some; otherwise those of workers.
    @Test(arguments: [(hitsChildren: true, seed: 1), (hitsChildren: false, seed: 2), (hitsChildren: true, seed: 3)])
    func `workers and the children of their lanes are killed at random`(
        _ way: (hitsChildren: Bool, seed: UInt64)
    ) async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(Self.count)
        let queue = try servers.queue(try servers.settings(silence: .seconds(2)))
        let local = try home.start(["batch", "in", "local"], state: "local-state")
        #expect(await local.end() == 0)
        let root = ["--root", "audio=\(home.folder.url.path)"]
        func worker() throws -> FleetHome.Running {
            try home.start(["worker", "--fleet", servers.addresses, "--jobs", "2", "--json"] + root)
        }
        var workers = try (0..<2).map { _ in try worker() }
        let batch = try home.start(["batch", "in", "out", "--fleet", servers.addresses, "--json"] + root)
        var generator = SeededGenerator(seed: way.seed)
        var (workerKills, childKills, done) = (0, 0, 0)
        while done < Self.count - 20 {
            done += Int.random(in: 5...20, using: &generator)
            await until { batch.lineCount > done || !batch.process.isRunning }
            let index = Int.random(in: 0..<workers.count, using: &generator)
            let victims = children(of: workers[index].pid)
            if way.hitsChildren, !victims.isEmpty {
                kill(victims[Int.random(in: 0..<victims.count, using: &generator)], SIGKILL)
                childKills += 1
            } else {
                workers[index].send(SIGKILL)
                workers[index] = try worker()
                workerKills += 1
            }
        }
        #expect(await batch.end() == 0, "\(batch.errorsSoFar)")
        for worker in workers {
            await until { worker.lines.contains { $0["event"] as? String == "ready" } }
            worker.send(SIGTERM)
        }
        for worker in workers { #expect(await worker.end() == 0, "\(worker.errorsSoFar)") }
        let result = try #require(batch.lines.last)
        #expect(result["made"] as? Int == Self.count)
        #expect(home.clips("out") == home.clips("local"))
        #expect(try queue.allJobs() == 0)
        #expect(try queue.deadJobs() == 0)
        print(
            "FIGURE kills, seed \(way.seed): \(workerKills) workers, \(childKills) children; \(result["fleet"] ?? "")")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `jobs that end their children at random are made, and only those that always do are put aside`(
        seed: UInt64
    ) async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(Self.count)
        let settings = try servers.settings()
        let queue = try servers.queue(settings)
        var generator = SeededGenerator(seed: seed)
        let names = (0..<Self.count).map { "take-\($0).wav" }.shuffled(using: &generator)
        let (guilty, unlucky) = (Set(names.prefix(5)), Set(names.dropFirst(5).prefix(50)))
        let met = Mutex<Set<String>>([])
        let make: FleetWorker.Make = { (making, path) throws(AudioError) in
            let name = making.request.source.name
            let isFirst = met.withLock { $0.insert(name).inserted }
            if guilty.contains(name) || unlucky.contains(name) && isFirst {
                throw .crashed(name: name, reason: "signal 9")
            }
            return try making.run(to: path)
        }
        let workers = try (0..<3).map { _ in
            try FleetWorker(queue, lanes: 2, roots: [], temporary: home.folder.path("tmp"), make: make)
        }
        let journal = try Journal(path: home.folder.path("state/journal.sqlite"))
        let flow = BatchFlow(FleetBatch(settings, roots: []).ports(BatchPorts(journal: journal)))
        let order = BatchRequest(
            source: home.folder.path("in"), target: home.folder.path("out"),
            clip: ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { try await worker.run() } }
            let summary = try await flow.run(order)
            workers.forEach { $0.drain() }
            try await group.waitForAll()
            #expect(summary.made == Self.count - guilty.count)
            #expect(Set(summary.failures.map(\.path.text)) == guilty)
            #expect(summary.fleet?.redelivered == guilty.count + unlucky.count)
        }
        #expect(try queue.deadJobs() == guilty.count)
        #expect(try queue.allJobs() == 0)
    }
}
