import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCore
import ChirpFleet
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import Glibc
import LoopbackService
import Testing

// W-8. Roots that workers reach over WebDAV: real servers for what goes well, a scripted one for faults.
@Suite(.tags(.careful)) struct FleetWebDAVTests {
    /// What a worker needs to sign in to a real server.
    private static let signIn = [
        "CHIRP_WEBDAV_USER": RealWebDAV.user, "CHIRP_WEBDAV_PASSWORD": RealWebDAV.password,
    ]

    @Test(arguments: RealWebDAV.Kind.allCases)
    func `the clips of workers that have only a WebDAV server are those of this machine`(
        kind: RealWebDAV.Kind
    ) async throws {
        let servers = try NatsServers()
        _ = try servers.queue()
        let server = try RealWebDAV(kind)
        let home = try FleetHome()
        try home.record(8)
        let names = ["take 1 %2e%2e.wav", "größe & $.wav", "deep/er/take #?.wav"]
        for (number, name) in names.enumerated() {
            let path = URL(filePath: home.folder.path("in/\(name)"))
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: home.folder.path("in/take-\(number).wav"), toPath: path.path)
        }
        // Too large for a message, so it has to come from there.
        try home.record(1, seconds: 20)
        let (input, output) = ("\(server.files)/in", "\(server.files)/out")
        try FileManager.default.moveItem(atPath: home.folder.path("in"), toPath: input)
        // The server may run as another user.
        try FileManager.default.createDirectory(atPath: "\(output)/.chirp-fleet", withIntermediateDirectories: true)
        chmod("\(output)/.chirp-fleet", 0o777)
        let local = try home.start(["batch", input, "local"], state: "local-state")
        #expect(await local.end() == 0, "\(local.errorsSoFar)")
        let fleet = ["--fleet", servers.addresses, "--json", "--root"]
        let worker = try home.start(
            ["worker", "--jobs", "2", "--verbose"] + fleet + ["audio=\(server.root)"], environment: Self.signIn)
        let batch = try home.start(["batch", input, output] + fleet + ["audio=\(server.files)"])
        #expect(await batch.end() == 0, "\(batch.errorsSoFar) \(worker.errorsSoFar)")
        #expect(home.clips("local").count == 9)
        let clips = FleetHome.clips(at: output)
        #expect(clips == home.clips("local"))
        worker.send(SIGTERM)
        #expect(await worker.end() == 0)
        #expect(try #require(worker.lines.last)["made"] as? Int == 9)
        #expect(try #require(batch.lines.last?["fleet"] as? [String: Any])["duplicates"] as? Int == 0)
        let said = worker.errorsSoFar + worker.lines.description + batch.errorsSoFar
        #expect(!said.contains(RealWebDAV.password) && said.contains("PUT"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.folder.path("tmp")).allSatisfy {
                $0.hasSuffix(".out") || $0.hasSuffix(".err")
            })
    }

    @Test func `a worker that is killed in the middle leaves nothing behind on the server`() async throws {
        let servers = try NatsServers()
        _ = try servers.queue(try servers.settings(silence: .seconds(2)))
        let server = try RealWebDAV(.rclone)
        let home = try FleetHome()
        try home.record(60)
        let (input, output) = ("\(server.files)/in", "\(server.files)/out")
        try FileManager.default.moveItem(atPath: home.folder.path("in"), toPath: input)
        let local = try home.start(["batch", input, "local"], state: "local-state")
        #expect(await local.end() == 0)
        let fleet = ["--fleet", servers.addresses, "--json", "--root"]
        func worker() throws -> FleetHome.Running {
            let words = ["worker", "--jobs", "2", "--verbose"] + fleet + ["audio=\(server.root)"]
            return try home.start(words, environment: Self.signIn)
        }
        let batch = try home.start(["batch", input, output] + fleet + ["audio=\(server.files)"])
        for uploads in [3, 7] {
            let doomed = try worker()
            await until {
                doomed.errorsSoFar.split(separator: "\n").count { $0.contains("PUT") } >= uploads
                    || !batch.process.isRunning
            }
            doomed.send(SIGKILL)
        }
        let last = try worker()
        // Before that it does not listen to TERM.
        await until { last.lines.contains { $0["event"] as? String == "ready" } || !last.process.isRunning }
        #expect(await batch.end() == 0, "\(batch.errorsSoFar)")
        #expect(FleetHome.clips(at: output) == home.clips("local"))
        last.send(SIGTERM)
        #expect(await last.end() == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.folder.path("tmp")).allSatisfy {
                $0.hasSuffix(".out") || $0.hasSuffix(".err")
            })
    }

    // MARK: a scripted server

    /// A recording on a scripted server, a queue and a worker.
    private final class World {
        let service: LoopbackWebDAV
        let home: FleetHome
        let queue: JobQueue
        let transport: any HTTPTransport
        let root: WebAddress
        private let servers: NatsServers
        private let worker: FleetWorker
        private let digest: SpooledInput
        private var jobs = 0

        init(tries: Int) async throws {
            servers = try NatsServers()
            service = try LoopbackWebDAV()
            home = try FleetHome()
            var settings = try servers.settings(tries: tries)
            settings.pause = .milliseconds(50)
            queue = try servers.queue(settings)
            transport = BasicTransport(
                CurlTransport(), user: LoopbackWebDAV.user, password: Secret(LoopbackWebDAV.password))
            root = try #require(WebAddress(service.folder))
            try home.record(1)
            let path = home.folder.path("in/take-0.wav")
            digest = try hashFile(path)
            _ = try await transport.send(HTTPRequest(.makeCollection, root))
            let body = HTTPBody.file(path: path, count: digest.size.bytes)
            _ = try await transport.send(HTTPRequest(.put, root.appending("take.wav"), body: body))
            let collection = FleetCollection(
                name: "audio", root: root, transport: transport, retries: StoreRetries(policy: .never))
            worker = try FleetWorker(
                queue, lanes: 1, roots: [.collection(collection)], temporary: home.folder.path("tmp"))
        }

        /// Works while something is done.
        func working(_ body: () async throws -> Void) async throws {
            let (worker, running) = (worker, Task { [worker] in try await worker.run() })
            defer { worker.drain() }
            try await body()
            worker.drain()
            try await running.value
        }

        /// What a worker says of a job.
        func result(
            place: String = "take.wav", target: String = ".chirp-fleet", change: (inout FleetJob) -> Void = { _ in }
        ) async throws -> FleetResult {
            jobs += 1
            var job = FleetJob.sample(jobs, batch: "batch0000\(jobs)")
            job.source = .file(root: "audio", path: try #require(FleetPath(Array(place.utf8))))
            job.target = .folder(root: "audio", path: try #require(FleetPath(Array(target.utf8))))
            (job.sha256, job.bytes) = (digest.sha256, digest.size.bytes)
            change(&job)
            let order = job
            try queue.enqueue(1) { _ in order }
            await until { [worker] in
                worker.figures.made + worker.figures.failed + worker.figures.buried == jobs
            }
            var inbox = try queue.results(of: job.batch)
            return try #require(try inbox.take(1, within: .seconds(60)).first?.result)
        }

        /// Why nothing came of a job; nil when something did.
        func failure(
            place: String = "take.wav", target: String = ".chirp-fleet", change: (inout FleetJob) -> Void = { _ in }
        ) async throws -> AudioError? {
            let result = try await result(place: place, target: target, change: change)
            if case .failed(let fault) = result.outcome { return fault.error }
            return nil
        }

        /// What lies in the folder of drafts.
        var drafts: [String] { service.names.filter { $0 != "take.wav" } }
    }

    @Test func `a server that fails gets the job again, and shows a clip once and whole`() async throws {
        let world = try await World(tries: 3)
        let faults: [(String, WebDAVFault)] = [
            ("GET", .refusal(503)), ("GET", .refusal(507)), ("GET", .refusal(302)), ("GET", .lost),
            ("PUT", .refusal(503, retryAfter: "1")), ("PUT", .refusal(507)), ("PUT", .lost),
            ("PUT", .reset(afterBytes: 100)), ("MOVE", .refusal(503)), ("MOVE", .lost), ("PROPFIND", .lost),
        ]
        try await world.working {
            for (method, fault) in faults {
                let before = Set(world.drafts)
                world.service.plan(fault, at: method)
                let result = try await world.result()
                #expect(world.service.plannedFaults == 0)
                guard case .made(let made) = result.outcome else {
                    Issue.record("\(method) \(fault): \(result.outcome)")
                    continue
                }
                // Where a connection breaks that was open already, libcurl itself asks again.
                if case .refusal = fault { #expect(result.delivery == 2) }
                let draft = ".chirp-fleet/\(try #require(made.draft))"
                // A move that was carried out without an answer leaves a whole clip that nobody asks for; the batch
                // clears it away.
                let whole = world.drafts.filter { !before.contains($0) && !$0.contains("chirp-tmp-") }
                #expect(whole.contains(draft) && whole.count <= (method == "MOVE" ? result.delivery : 1), "\(whole)")
                let tree = WebDAVTree(root: world.root, transport: world.transport)
                let bytes = try #require(made.receipt.clip?.bytes)
                let open = try await tree.open(
                    draft.split(separator: "/").map(String.init), bytes: bytes, in: world.home.folder.path("tmp"))
                defer { close(open) }
                #expect(try hashFile("/proc/self/fd/\(open)").sha256 == made.receipt.clip?.sha256)
            }
        }
    }

    @Test func `what cannot be fetched or left is given up after the tries, with the reason`() async throws {
        let world = try await World(tries: 2)
        try await world.working {
            for _ in 0..<2 { world.service.plan(.refusal(507), at: "PUT") }
            let full = try await world.failure()
            #expect(full?.whatHappened.contains("no room") == true)
            #expect(try world.queue.deadJobs() == 1)
            // Recordings that are others by now.
            let changed = [
                try await world.failure { $0.bytes -= 1 },
                try await world.failure { $0.sha256 = String(repeating: "a", count: 64) },
            ]
            #expect(changed.allSatisfy { $0?.exitCode == .inputOutput }, "\(changed)")
            let asked = world.service.requests.count
            let never = [
                try await world.failure { $0.bytes = 1 << 40 }, try await world.failure(place: "a\\..\\take.wav"),
                try await world.failure(place: "a\ntake.wav"), try await world.failure(place: "caf\u{85}.wav"),
            ]
            #expect(never.allSatisfy { $0?.exitCode == .badInput }, "\(never)")
            #expect(world.service.requests.count == asked)
        }
        #expect(world.drafts.isEmpty)
    }

    @Test func `a folder that is not there is not made, and no address leads out of the root`() async throws {
        let world = try await World(tries: 1)
        try await world.working {
            let failure = try await world.failure(place: "%2e%2e/secret.wav", target: "new/.chirp-fleet")
            #expect(failure != nil)
        }
        #expect(world.service.requests.filter { $0.method == "MKCOL" }.count == 1)
        let asked = try #require(world.service.requests.last { $0.method == "GET" })
        #expect(asked.path == "/dav/clips/%252e%252e/secret.wav")
        let tree = WebDAVTree(root: world.root, transport: world.transport)
        for place in [["..", "x"], ["."], [""], ["a/../../x"], []] {
            await #expect(throws: StoreError.self) { try await tree.open(place, bytes: 1, in: "/tmp") }
        }
    }

    @Test func `a worker begins only with a root that it may use, and tells its password to nobody else`() async throws
    {
        let servers = try NatsServers()
        _ = try servers.queue()
        let server = try RealWebDAV(.rclone)
        let home = try FleetHome()
        for (root, environment, code, words) in [
            (server.root, ["CHIRP_WEBDAV_PASSWORD": "wrong"], 77, "accepts neither user nor password"),
            ("\(server.root)/nowhere", [:], 69, "no such collection"),
            ("http://127.0.0.1:1", [:], 75, "no connection"),
            ("http://nas.example/audio", [:], 69, "plain http"),
            (server.root, ["CHIRP_WEBDAV_URL": "https://cloud.example/dav"], 64, "that of another server"),
            ("http://ann:s3cret@127.0.0.1/x", [:], 64, "without user, password"),
        ] as [(String, [String: String], Int32, String)] {
            let worker = try home.start(
                ["worker", "--fleet", servers.addresses, "--root", "audio=\(root)"],
                environment: Self.signIn.merging(environment) { $1 })
            #expect(await worker.end() == code, "\(root) \(worker.errorsSoFar)")
            #expect(worker.errorsSoFar.contains(words), "\(worker.errorsSoFar)")
            #expect(!worker.errorsSoFar.contains("s3cret") && !worker.errorsSoFar.contains(RealWebDAV.password))
        }
        let batch = try home.start(
            ["batch", "in", "out", "--fleet", servers.addresses, "--root", "audio=\(server.root)"])
        #expect(await batch.end() == 64)
        #expect(batch.errorsSoFar.contains("needs the folder"))
    }
}
