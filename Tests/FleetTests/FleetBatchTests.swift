import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpFiles
import ChirpFleet
import ChirpFlows
import ChirpJournal
import ChirpMP3
import ChirpTestKit
import Foundation
import Glibc
import Synchronization
import Testing
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// W-8, OU-8. The built program against a real server.
@Suite struct FleetBatchTests {
    private func result(_ batch: FleetHome.Running) throws -> [String: Any] {
        let last = try #require(batch.lines.last, "\(batch.errorsSoFar)")
        #expect(last["event"] as? String == "result")
        return last
    }

    @Test(arguments: [true, false])
    func `the clips of a fleet are those of this machine, through a root or through messages`(
        hasRoot: Bool
    ) async throws {
        let servers = try NatsServers()
        _ = try servers.queue()
        let home = try FleetHome()
        try home.record(30)
        try Data("no sound".utf8).write(to: URL(filePath: home.folder.path("in/broken.wav")))
        let local = try home.start(["batch", "in", "local"], state: "local-state")
        #expect(await local.end() == 3)
        let root = hasRoot ? ["--root", "audio=\(home.folder.url.path)"] : []
        let worker = try home.start(["worker", "--fleet", servers.addresses, "--jobs", "2", "--json"] + root)
        let batch = try home.start(
            ["batch", "in", "out", "--fleet", servers.addresses, "--json", "--progress", "plain"] + root)
        #expect(await batch.end() == 3, "\(batch.errorsSoFar)")
        let result = try result(batch)
        #expect(result["made"] as? Int == 30)
        #expect((result["fleet"] as? [String: Any])?["duplicates"] as? Int == 0)
        #expect(batch.errorsSoFar.contains(" of 30 files, ") && batch.errorsSoFar.contains(" worker"))
        #expect(home.clips("out") == home.clips("local"))
        #expect(home.clips("out").count == 30)
        let files = batch.lines.filter { $0["event"] as? String == "file" }
        #expect(files.compactMap { $0["path"] as? String } == files.compactMap { $0["path"] as? String }.sorted())

        // Again there is nothing to do, and nobody to ask.
        let again = try home.start(["batch", "in", "out", "--fleet", "nats://127.0.0.1:1", "--json"] + root)
        #expect(await again.end() == 3)
        try FileManager.default.removeItem(atPath: home.folder.path("in/broken.wav"))
        let third = try home.start(["batch", "in", "out", "--fleet", "nats://127.0.0.1:1", "--json"] + root)
        #expect(await third.end() == 0)
        #expect(try self.result(third)["unchanged"] as? Int == 30)

        worker.send(SIGTERM)
        #expect(await worker.end() == 0)
        #expect(try #require(worker.lines.last)["made"] as? Int == 30)
    }

    @Test func `a worker that is killed loses nothing`() async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(40)
        _ = try servers.queue(try servers.settings(silence: .seconds(2)))
        let local = try home.start(["batch", "in", "local"], state: "local-state")
        #expect(await local.end() == 0)
        let doomed = try await home.worker(servers, "--verbose")
        let batch = try home.start(["batch", "in", "out", "--fleet", servers.addresses, "--json"])
        await until { doomed.errorsSoFar.split(separator: "\n").count > 6 }
        doomed.send(SIGKILL)
        // The other one tidies up when it starts: after those that are dead by then.
        _ = await doomed.end()
        let other = try await home.worker(servers)
        #expect(await batch.end() == 0, "\(batch.errorsSoFar)")
        #expect(home.clips("out") == home.clips("local"))
        #expect(((try result(batch)["fleet"] as? [String: Any])?["duplicates"] as? Int ?? 99) <= 1)
        other.send(SIGTERM)
        #expect(await other.end() == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.folder.path("tmp")).allSatisfy {
                $0.hasSuffix(".out") || $0.hasSuffix(".err")
            })
    }

    @Test func `what a dead worker has left is removed by the next one, and nothing else`() throws {
        let folder = try TemporaryFolder()
        let alive = try WorkerScratch(in: folder.path(""))
        try Data("now".utf8).write(to: URL(filePath: "\(alive.path)/clip.mp3"))
        for name in ["chirp-worker-AbCdEf", "chirp-worker-other-people", "elsewhere"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
            try Data("old".utf8).write(to: URL(filePath: folder.path("\(name)/clip.mp3")))
        }
        symlink("elsewhere", folder.path("chirp-worker-LinkTo"))
        var next: WorkerScratch? = try WorkerScratch(in: folder.path(""))
        let stay = ["chirp-worker-LinkTo", "chirp-worker-other-people", "elsewhere"]
        #expect(
            Set(try folder.names())
                == Set(stay + [alive, next].compactMap { $0?.path.split(separator: "/").last.map(String.init) }))
        for name in ["elsewhere", "chirp-worker-other-people"] {
            #expect(FileManager.default.fileExists(atPath: folder.path("\(name)/clip.mp3")))
        }
        #expect(FileManager.default.fileExists(atPath: "\(alive.path)/clip.mp3"))
        try Data("now".utf8).write(to: URL(filePath: "\(next?.path ?? "")/clip.mp3"))
        next = nil
        #expect(try folder.names().count == 4)
    }

    @Test func `what comes while a fleet's batch watches is asked for when it is whole, and made once`() async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(3)
        let queue = try servers.queue()
        let journal = try Journal(path: home.folder.path("state/journal.sqlite"))
        let watching = Atomic(0)
        var ports = BatchPorts(journal: journal)
        ports.report = { event in
            if event == .watching { watching.add(1, ordering: .relaxed) }
            return true
        }
        let worker = try FleetWorker(queue, lanes: 1, roots: [], temporary: home.folder.path("tmp"))
        async let working: Void = worker.run()
        let flow = BatchFlow(FleetBatch(try servers.settings(), roots: []).ports(ports))
        let order = BatchRequest(
            source: home.folder.path("in"), target: home.folder.path("out"),
            clip: ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice))
        let running = Task { () -> BatchFailure? in
            do throws(BatchFailure) { try await flow.watch(order, settling: .milliseconds(50)) } catch { return error }
        }
        await until { watching.load(ordering: .relaxed) > 0 }
        // One that arrives in two halves, and one that is moved in between them.
        let bytes = try #require(FileManager.default.contents(atPath: home.folder.path("in/take-0.wav")))
        let late = home.folder.path("in/late.wav")
        #expect(FileManager.default.createFile(atPath: late, contents: nil))
        let writer = try #require(FileHandle(forWritingAtPath: late))
        try writer.write(contentsOf: bytes.prefix(bytes.count / 2))
        try Data(bytes).write(to: URL(filePath: home.folder.path("soon.wav")))
        try FileManager.default.moveItem(atPath: home.folder.path("soon.wav"), toPath: home.folder.path("in/soon.wav"))
        await until { FileManager.default.fileExists(atPath: home.folder.path("out/soon.mp3")) }
        #expect(!FileManager.default.fileExists(atPath: home.folder.path("out/late.mp3")))
        try writer.write(contentsOf: bytes.dropFirst(bytes.count / 2))
        try writer.close()
        await until { FileManager.default.fileExists(atPath: home.folder.path("out/late.mp3")) }
        running.cancel()
        #expect(await running.value == .cancelled)
        worker.drain()
        try await working
        let clips = home.clips("out")
        #expect(clips.keys.filter { !$0.hasPrefix(".") }.count == 5)
        #expect(clips["late.mp3"] == clips["take-0.mp3"] && clips["soon.mp3"] == clips["take-0.mp3"])
        #expect(worker.figures.made == 5)
        #expect(try queue.allJobs() == 0)
    }

    @Test func `a batch that is killed is run again, and takes what was done meanwhile`() async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(40)
        let queue = try servers.queue()
        let local = try home.start(["batch", "in", "local"], state: "local-state")
        #expect(await local.end() == 0)
        // Nobody works yet: all is asked for, and nothing comes.
        let killed = try home.start(["batch", "in", "out", "--fleet", servers.addresses, "--json"])
        await until { ((try? queue.allJobs()) ?? 0) == 40 }
        killed.send(SIGKILL)
        #expect(await killed.end() == -SIGKILL)
        let worker = try await home.worker(servers)
        await until { ((try? queue.allJobs()) ?? 1) == 0 }
        worker.send(SIGTERM)
        #expect(await worker.end() == 0)
        // The clips wait in the results; nobody has to work again.
        for point in ["clipPlaced:7", "clipRecorded:1"] {
            let dying = try home.start(
                ["batch", "in", "out", "--fleet", servers.addresses], environment: ["CHIRP_FAULT": point])
            #expect(await dying.end() == -SIGKILL)
        }
        let last = try home.start(["batch", "in", "out", "--fleet", servers.addresses, "--json"])
        #expect(await last.end() == 0, "\(last.errorsSoFar)")
        #expect(home.clips("out") == home.clips("local"))
        #expect(try queue.allJobs() == 0)
    }

    @Test func `what the servers have lost is asked for again`() async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(5)
        var settings = try servers.settings()
        settings.audit = .milliseconds(300)
        let queue = try servers.queue(settings)
        let journal = try Journal(path: home.folder.path("state/journal.sqlite"))
        let flow = BatchFlow(FleetBatch(settings, roots: []).ports(BatchPorts(journal: journal)))
        let order = BatchRequest(
            source: home.folder.path("in"), target: home.folder.path("out"),
            clip: ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice))
        async let running = flow.run(order)
        await until { ((try? queue.allJobs()) ?? 0) == 5 }
        let target = home.folder.url.resolvingSymlinksInPath().appending(path: "out").path
        try queue.withdrawAll(of: try await journal.fleetBatch(for: target))
        let worker = try FleetWorker(queue, lanes: 1, roots: [], temporary: home.folder.path("tmp"))
        async let working: Void = worker.run()
        let summary = try await running
        worker.drain()
        try await working
        #expect(summary.made == 5)
        #expect(summary.fleet?.republished == 5)
        #expect(summary.fleet?.duplicates == 0)
        #expect(try await journal.fleetJobs(in: target).isEmpty)
    }

    @Test func `a job that nobody can do is put aside after its tries, and the batch is told why`() async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(2)
        var settings = try servers.settings(tries: 2)
        settings.pause = .milliseconds(50)
        let queue = try servers.queue(settings)
        let temporary = home.folder.path("tmp")
        let onFire: FleetWorker.Make = { (_, path) throws(AudioError) in
            throw .inputOutput(path: path, reason: "the disk is on fire")
        }
        let worker = try FleetWorker(queue, lanes: 1, roots: [], temporary: temporary, make: onFire)
        async let working: Void = worker.run()
        let batch = try home.start(["batch", "in", "out", "--fleet", servers.addresses, "--json"])
        #expect(await batch.end() == 3, "\(batch.errorsSoFar)")
        worker.drain()
        try await working
        #expect(worker.figures.buried == 2)
        #expect(worker.figures.givenBack == 2)
        #expect(try queue.deadJobs() == 2)
        #expect(batch.errorsSoFar.contains("the disk is on fire"))
    }

    @Test func `hostile records are put aside, and touch nothing`() async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        let queue = try servers.queue(try servers.settings(tries: 1))
        try Data("secret".utf8).write(to: URL(filePath: home.folder.path("secret.wav")))
        let shared = home.folder.path("shared")
        try FileManager.default.createDirectory(atPath: "\(shared)/.chirp-fleet", withIntermediateDirectories: true)
        symlink("../secret.wav", "\(shared)/link.wav")
        symlink("..", "\(shared)/up")
        let records: [(FleetJob.Source, FleetJob.Target)] = [
            (.file(root: "audio", path: try #require(FleetPath(Array("link.wav".utf8)))), .inline),
            (.file(root: "audio", path: try #require(FleetPath(Array("up/secret.wav".utf8)))), .inline),
            (.inline(Data()), .folder(root: "audio", path: try #require(FleetPath(Array("up/in".utf8))))),
            (.inline(Data()), .folder(root: "audio", path: try #require(FleetPath(Array("up/.chirp-fleet".utf8))))),
        ]
        try queue.enqueue(records.count) { number in
            var job = FleetJob.sample(number, source: records[number].0)
            job.target = records[number].1
            return job
        }
        try queue.enqueue(4) { number in
            var job = FleetJob.sample(100 + number)
            switch number {
            case 0: job.order.settings.rate = .constant(kbps: -1)
            case 1: job.order.policy.target.value = 1e9
            case 2: job.order.policy.ceiling.value = -.infinity
            default: job.order.jobs = 0
            }
            return job
        }
        for text in ["", "..", "a/../b", "/etc/passwd", "a//b", "a/./b"] { #expect(FleetPath(Array(text.utf8)) == nil) }
        let worker = try FleetWorker(
            queue, lanes: 1, roots: [.folder(try FleetRoot("audio=\(shared)"))], temporary: home.folder.path("tmp"))
        async let working: Void = worker.run()
        await until { worker.figures.buried == 8 }
        worker.drain()
        try await working
        #expect(worker.figures.buried == 8)
        #expect(worker.figures.made == 0)
        #expect(home.clips("shared").keys.sorted() == ["link.wav"])
        #expect(home.clips("in").isEmpty)
    }

    @Test func `a worker tells its figures and health, and finishes what it has begun`() async throws {
        let servers = try NatsServers()
        let home = try FleetHome()
        try home.record(6, seconds: 2)
        _ = try servers.queue()
        let worker = try await home.worker(servers, "--metrics", "127.0.0.1:0", "--verbose")
        await until { worker.lines.contains { $0["event"] as? String == "metrics" } }
        let port = try #require(worker.lines.first { $0["event"] as? String == "metrics" }?["port"] as? Int)
        let batch = try home.start(["batch", "in", "out", "--fleet", servers.addresses, "--json"])
        await until { worker.errorsSoFar.contains("made ") }
        worker.send(SIGTERM)
        #expect(await worker.end() == 0)
        let made = try #require(worker.lines.last)["made"] as? Int
        #expect((1...6).contains(made ?? 0))
        let second = try await home.worker(servers, "--metrics", "127.0.0.1:0")
        #expect(await batch.end() == 0, "\(batch.errorsSoFar)")
        #expect((try result(batch)["fleet"] as? [String: Any])?["redelivered"] as? Int == 0)
        await until { second.lines.contains { $0["event"] as? String == "metrics" } }
        let other = try #require(second.lines.first { $0["event"] as? String == "metrics" }?["port"] as? Int)
        #expect(other != port)
        let (data, _) = try await URLSession.shared.data(
            from: #require(URL(string: "http://127.0.0.1:\(other)/metrics")))
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains("chirp_worker_jobs_total{outcome=\"made\"} \(6 - (made ?? 0))\n"))
        let health = try #require(URL(string: "http://127.0.0.1:\(other)/healthz"))
        #expect(((try await URLSession.shared.data(from: health)).1 as? HTTPURLResponse)?.statusCode == 200)
        servers.kill(0)
        var status: Int?
        let end = ContinuousClock.now + .seconds(60)
        while status != 503, ContinuousClock.now < end {
            status = ((try await URLSession.shared.data(from: health)).1 as? HTTPURLResponse)?.statusCode
        }
        #expect(status == 503)
    }

    @Test func `mistakes of usage are told apart`() async throws {
        let home = try FleetHome()
        for (words, code) in [
            (["worker"], 64), (["worker", "--fleet", "http://x"], 64),
            (["worker", "--fleet", "nats://127.0.0.1:1"], 75),
            (["worker", "--fleet", "nats://127.0.0.1:1", "--root", "audio=/nowhere/at/all"], 64),
            (["worker", "--fleet", "nats://127.0.0.1:1", "--jobs", "0"], 64),
        ] as [([String], Int32)] {
            let running = try home.start(words)
            #expect(await running.end() == code, "\(words) \(running.errorsSoFar)")
        }
    }
}
