import ChirpAudio
import ChirpCore
import ChirpFleet
import ChirpTestKit
import Foundation
import Glibc
import Testing

// W-8. All against a real server.
@Suite struct JobQueueTests {
    private func failure(_ job: FleetJob, delivery: Int = 1) -> FleetResult {
        FleetResult(
            id: job.id, batch: job.batch, worker: "worker0000", delivery: delivery,
            outcome: .failed(.init(.undecodable(name: job.name, reason: "it is a test"))))
    }

    @Test func `a job stays in the queue until its result is stored, and a result until it is confirmed`() async throws
    {
        try await offPool {
            let servers = try NatsServers()
            let queue = try servers.queue()
            let job = FleetJob.sample(1)
            try queue.enqueue(1) { _ in job }
            #expect(try queue.waiting(in: job.batch) == [job.id])
            var inbox = try JobInbox(queue)
            let arrival = try #require(try inbox.next(within: .seconds(60)))
            #expect(arrival.job == job)
            #expect(arrival.ticket.delivery == 1)
            #expect(try queue.waiting(in: job.batch) == [job.id])
            try queue.finish(arrival.ticket, failure(job))
            #expect(try queue.waiting(in: job.batch).isEmpty)
            for isFirst in [true, false] {
                var results = try queue.results(of: job.batch)
                let taken = try results.take(10, within: .milliseconds(300))
                #expect(taken.map(\.result) == [failure(job)])
                // The first reader dies without a word; the next one confirms.
                if !isFirst {
                    try results.confirm(taken)
                    results.close()
                }
            }
            // Nobody answers a confirmation, and a consumer that is deleted may be quicker: whoever is handed it again says it again.
            var left = 1
            for _ in 1...5 where left > 0 {
                var results = try queue.results(of: job.batch)
                let again = try results.take(10, within: .milliseconds(100))
                #expect(again.allSatisfy { $0.result == failure(job) })
                try results.confirm(again)
                results.close()
                left = again.count
            }
            #expect(left == 0)
        }
    }

    @Test func `a job that is there is there once, and one that was done can be done again at once`() async throws {
        try await offPool {
            let servers = try NatsServers()
            let queue = try servers.queue()
            let jobs = (0..<10).map { FleetJob.sample($0) }
            for _ in 0..<3 { try queue.enqueue(jobs.count) { jobs[$0] } }
            #expect(try queue.waiting(in: jobs[0].batch).count == 10)
            var inbox = try JobInbox(queue)
            for _ in jobs {
                let arrival = try #require(try inbox.next(within: .seconds(60)))
                try queue.finish(arrival.ticket, failure(try #require(arrival.job)))
            }
            #expect(try inbox.next(within: .milliseconds(50)) == nil)
            // Its id is still remembered, the job is not: the servers alone would drop it without a word.
            try queue.enqueue(1) { _ in jobs[3] }
            #expect(try inbox.next(within: .seconds(60))?.job == jobs[3])
        }
    }

    @Test func `a silent worker loses its job to another, one that speaks keeps it`() async throws {
        try await offPool {
            let servers = try NatsServers()
            let silence = Duration.seconds(1)
            let queue = try servers.queue(try servers.settings(silence: silence))
            var first = try JobInbox(queue)
            var second = try JobInbox(queue)
            // Where this thread stood still for long it was silent itself, which proves nothing.
            for attempt in 1...20 {
                try queue.enqueue(1) { _ in FleetJob.sample(attempt) }
                let held = try #require(try first.next(within: .seconds(60)))
                let begun = ContinuousClock.now
                var (spoken, longest) = (begun, Duration.zero)
                var other: JobInbox.Arrival?
                while spoken - begun < silence * 1.5, other == nil {
                    other = try second.next(within: .milliseconds(100))
                    try queue.keep(held.ticket)
                    longest = max(longest, .now - spoken)
                    spoken = .now
                }
                if longest > silence / 2 {
                    try queue.withdrawAll(of: held.job?.batch ?? "")
                    continue
                }
                #expect(other == nil)
                let again = try #require(try second.next(within: .seconds(60)))
                #expect(again.job == held.job)
                #expect(again.ticket.delivery == 2)
                return
            }
            Issue.record("the machine is too busy to tell")
        }
    }

    @Test func `a job that is given back comes again later, and counts`() async throws {
        try await offPool {
            let servers = try NatsServers()
            let queue = try servers.queue()
            try queue.enqueue(1) { _ in FleetJob.sample(1) }
            var inbox = try JobInbox(queue)
            let first = try #require(try inbox.next(within: .seconds(60)))
            try queue.giveBack(first.ticket, after: .seconds(1))
            let second = try #require(try inbox.next(within: .seconds(60)))
            #expect(second.ticket.delivery == 2)
        }
    }

    @Test func `a job that is put aside leaves the queue, and its batch is told`() async throws {
        try await offPool {
            let servers = try NatsServers()
            let queue = try servers.queue()
            let job = FleetJob.sample(1)
            try queue.enqueue(1) { _ in job }
            var inbox = try JobInbox(queue)
            let arrival = try #require(try inbox.next(within: .seconds(60)))
            try queue.bury(arrival, reason: "no reason", by: "worker0000", telling: failure(job))
            #expect(try queue.waiting(in: job.batch).isEmpty)
            #expect(try queue.deadJobs() == 1)
            var results = try queue.results(of: job.batch)
            #expect(try results.take(1, within: .seconds(60)).count == 1)
        }
    }

    @Test func `jobs are taken back one by one or all of a batch, and other batches stay`() async throws {
        try await offPool {
            let servers = try NatsServers()
            let queue = try servers.queue()
            try queue.enqueue(5) { FleetJob.sample($0) }
            try queue.enqueue(2) { FleetJob.sample($0, batch: "another000") }
            try queue.withdraw([FleetJob.sample(2).id], of: "batch00000")
            #expect(try queue.waiting(in: "batch00000").count == 4)
            try queue.withdrawAll(of: "batch00000")
            #expect(try queue.waiting(in: "batch00000").isEmpty)
            #expect(try queue.waiting(in: "another000").count == 2)
        }
    }

    @Test func `a server that is killed and started again still has everything`() async throws {
        try await offPool {
            let servers = try NatsServers()
            let queue = try servers.queue()
            try queue.enqueue(100) { FleetJob.sample($0) }
            servers.kill(0)
            try servers.start(0)
            // Over the same connection, which comes back by itself.
            #expect(try queue.waiting(in: "batch00000").count == 100)
            try queue.enqueue(200) { FleetJob.sample($0) }
            #expect(try queue.waiting(in: "batch00000").count == 200)
        }
    }

    @Test func `a user is let in by a file that nobody else may read`() async throws {
        try await offPool {
            let servers = try NatsServers(extra: ["--user", "ann", "--pass", "s3cret"])
            let path = FileManager.default.temporaryDirectory.appending(path: "chirp-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            var settings = try servers.settings()
            settings.credentials = path
            #expect(throws: FleetError.self) { try JobQueue(settings) }
            try Data("ann:s3cret\n".utf8).write(to: URL(filePath: path))
            chmod(path, 0o644)
            #expect(throws: FleetError.badCredentials(path: path, reason: "others may read it")) {
                try JobQueue(settings)
            }
            chmod(path, 0o600)
            #expect(try servers.queue(settings).isConnected)
            try Data("ann:wrong\n".utf8).write(to: URL(filePath: path))
            let error = #expect(throws: FleetError.self) { try JobQueue(settings) }
            #expect(error?.exitCode == .signInNeeded)
        }
    }

    @Test func `a user is let in by a file of nsc, that somebody has signed whom the servers trust`() async throws {
        try await offPool {
            let folder = try TemporaryFolder()
            let (ours, account, user) = (NatsIdentity(.operator), NatsIdentity(.account), NatsIdentity(.user))
            let system = NatsIdentity(.account)
            // JetStream is off for accounts whose tokens do not allow it.
            let limits = Dictionary(
                uniqueKeysWithValues: [
                    "subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage",
                    "streams", "consumer",
                ].map { ($0, -1) })
            let settings = """
                operator: \(try ours.token(for: ours, [:]))
                system_account: \(system.name)
                resolver: MEMORY
                resolver_preload: {
                    \(account.name): \(try ours.token(for: account, ["limits": limits]))
                    \(system.name): \(try ours.token(for: system, [:]))
                }
                """
            try Data(settings.utf8).write(to: URL(filePath: folder.path("nats.conf")))
            let servers = try NatsServers(extra: ["-c", folder.path("nats.conf")])
            var fleet = try servers.settings()
            let path = folder.path("fleet.creds")
            fleet.credentials = path
            func write(signedBy signer: NatsIdentity, mode: mode_t) throws {
                let token = try signer.token(for: user, ["subs": -1, "data": -1, "payload": -1])
                try Data(user.credentials(token).utf8).write(to: URL(filePath: path))
                chmod(path, mode)
            }
            try write(signedBy: account, mode: 0o600)
            let queue = try servers.queue(fleet)
            try queue.enqueue(1) { _ in FleetJob.sample(1) }
            #expect(try queue.allJobs() == 1)
            try write(signedBy: NatsIdentity(.account), mode: 0o600)
            let error = #expect(throws: FleetError.self) { try JobQueue(fleet) }
            #expect(error?.exitCode == .signInNeeded, "\(error?.description ?? "")")
            for mode in [0o640, 0o604] as [mode_t] {
                try write(signedBy: account, mode: mode)
                #expect(throws: FleetError.badCredentials(path: path, reason: "others may read it")) {
                    try JobQueue(fleet)
                }
            }
            fleet.credentials = nil
            #expect(throws: FleetError.self) { try JobQueue(fleet) }
        }
    }

    @Test func `with TLS only servers are trusted that the authority knows by their names`() async throws {
        let folder = try TemporaryFolder()
        func openssl(_ words: [String]) throws {
            let process = try StartedProgram(["/usr/bin/openssl"] + words, folder: folder.path("."))
            #expect(process.wait() == 0, "\(words)")
        }
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try openssl(
            ["req", "-x509"] + key + [
                "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj",
                "/CN=ca",
            ])
        func serversNamed(_ name: String, _ kind: String = "DNS") throws -> NatsServers {
            try openssl(["req"] + key + ["-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)"])
            try Data("subjectAltName=\(kind):\(name)".utf8).write(to: URL(filePath: folder.path("names")))
            try openssl([
                "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
                "\(name).pem", "-days", "2", "-extfile", "names",
            ])
            return try NatsServers(extra: [
                "--tls", "--tlscert", folder.path("\(name).pem"), "--tlskey", folder.path("\(name).key"),
            ])
        }
        var ports: [String: Int] = [:]
        var all: [NatsServers] = []
        for (name, isTrusted) in [("localhost", true), ("elsewhere.example", false)] {
            let servers = try serversNamed(name)
            all.append(servers)
            ports[name] = servers.ports[0]
            var settings = FleetSettings(servers: try FleetServers("tls://localhost:\(servers.ports[0])"))
            settings.authorities = folder.path("ca.pem")
            await until { servers.log(0).contains("Server is ready") }
            if isTrusted {
                #expect(try servers.queue(settings).isConnected)
                settings.authorities = nil
            }
            #expect(throws: FleetError.self) { try JobQueue(settings) }
        }
        // By numbers, and several servers of several names: each is compared with its own. Whoever is asked first is chance.
        let numbered = try serversNamed("127.0.0.1", "IP")
        await until { numbered.log(0).contains("Server is ready") }
        let (good, bad) = (ports["localhost"] ?? 0, ports["elsewhere.example"] ?? 0)
        for (addresses, isTrusted) in [
            ("tls://127.0.0.1:\(numbered.ports[0])", true), ("tls://127.0.0.1:\(good)", false),
            ("tls://127.0.0.1:\(bad),tls://localhost:\(bad)", false),
            ("tls://127.0.0.1:\(numbered.ports[0]),tls://localhost:\(bad)", true),
        ] {
            for _ in 0..<4 {
                var settings = FleetSettings(servers: try FleetServers(addresses), replicas: 1)
                settings.authorities = folder.path("ca.pem")
                if isTrusted {
                    #expect(try JobQueue(settings).isConnected, "\(addresses)")
                } else {
                    #expect(throws: FleetError.self, "\(addresses)") { try JobQueue(settings) }
                }
            }
        }
        #expect(!all.isEmpty)
    }

    @Test func `addresses are checked, and hold no passwords`() {
        for text in ["", "nats://", "http://host", "nats://a,,nats://b", "nats://ho st", "nats://a/../b"] {
            #expect(throws: FleetError.self, "\(text)") { try FleetServers(text) }
        }
        let error = #expect(throws: FleetError.self) { try FleetServers("nats://ann:s3cret@host") }
        #expect(error?.description.contains("s3cret") == false)
        #expect((try? FleetServers("nats://a,nats://b:4222,tls://[::1]:4333"))?.usualReplicas == 3)
    }
}
