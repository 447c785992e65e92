import Foundation
import Glibc
import Testing

@Suite struct InterruptionTests {
    /// The input is a pipe that stays open, so the program is certainly still reading when the signal comes.
    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted run ends with 130 and leaves nothing`(signal: Int32) async throws {
        let home = try Household()
        let pipe = home.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let keeper = open(pipe, O_RDWR)
        defer { close(keeper) }
        let running = try home.start(["encode", "-", "-o", "clip.mp3"], input: pipe)
        await eventually { !home.files(in: "tmp").isEmpty }
        running.send(signal)
        let outcome = try await running.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(outcome.errorLines.count == 2)
        #expect(home.files(in: "tmp").isEmpty)
        #expect(home.files(in: "work").filter { $0 != "pipe" }.isEmpty)
    }

    @Test func `an interrupted publication is in the journal and goes on`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 3)), to: "take.wav")
        // It stops itself when it is about to render, so the signal certainly finds it in the middle.
        let running = try home.start(["publish", "take.wav"], environment: ["CHIRP_PAUSE": "admitted"])
        await eventually { running.isStopped }
        running.send(SIGINT)
        running.send(SIGCONT)
        let outcome = try await running.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(home.files(in: "data").filter { $0.hasSuffix(".mp3") }.isEmpty)
        let items = try await home.run("outbox", "--json").json()["items"] as? [[String: Any]]
        #expect(items?.count == 1)
        let resumed = try await home.run("outbox", "resume")
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(home.files(in: "data/chirp/hub/media").count == 1)
    }

    /// Two signals: the process ends at once, and only what the first one wrote is there. The points are steps away from the
    /// post, since the flow goes on while the signal is delivered.
    @Test(arguments: [[SIGINT], [SIGINT, SIGTERM]], ["admitted", "prepared", "uploading"])
    func `a running hub does not go on with what a person has stopped`(signals: [Int32], point: String) async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 0.5)), to: "stopped.wav")
        try home.write(Recording.wav(Recording.voice(seconds: 0.6)), to: "killed.wav")
        let stopped = try home.start(["publish", "stopped.wav"], environment: ["CHIRP_PAUSE": point])
        await eventually { stopped.isStopped }
        signals.forEach(stopped.send)
        stopped.send(SIGCONT)
        let outcome = try await stopped.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
        // Due at once, whatever was noted on the way out.
        #expect(try await home.sql("UPDATE publication SET nextAttempt = NULL") == "")
        let killed = try await home.run("publish", "killed.wav", environment: ["CHIRP_FAULT": "shared"])
        #expect(killed.signal == SIGKILL)

        // The hub resumes the older one first, so when the younger one is posted the older one was passed over.
        let running = try home.start(["serve", "--port", "0"])
        while try await home.sql("SELECT group_concat(state) FROM publication WHERE inputName = 'killed.wav'") != "done"
        {
            guard !Task.isCancelled else { return }
        }
        running.send(SIGTERM)
        _ = try await running.outcome()
        #expect(try await home.posts() == "1")
        let listed = try await home.run("outbox")
        #expect(listed.lines.count == 1 && listed.text.contains("you stopped it"), "\(listed.text)")
        let items = try await home.run("outbox", "--json").json()["items"] as? [[String: Any]]
        #expect(items?.first?["stopped"] is String)

        let resumed = try await home.run("outbox", "resume")
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(try await home.posts() == "2")
        #expect(home.files(in: "data/chirp/hub/media").count == 2)
    }

    @Test func `the hub says where it is, answers, and ends with 130`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let published = try await home.run("publish", "take.wav", "--json").json()
        let id = try #require((published["store"] as? [String: Any])?["id"] as? String)
        let (running, port) = try await home.served()
        let page = try await home.shell("curl -sf http://127.0.0.1:\(port)/c/\(id)")
        #expect(page.status == 0)
        #expect(page.text.contains("<audio"))
        let doctor = try await home.run("doctor", "--json", environment: ["CHIRP_HUB_PORT": "\(port)"])
        let checks = try #require(try doctor.json()["checks"] as? [[String: Any]])
        #expect(checks.first { $0["check"] as? String == "hub" }?["level"] as? String == "ok")
        let taken = try await home.run("serve", "--port", "\(port)")
        #expect(taken.status == 69, "\(taken.errors)")
        running.send(SIGTERM)
        let outcome = try await running.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(outcome.lines.count == 1)
    }

    @Test func `a hub that is told to stop while others connect ends as it always does`() async throws {
        let home = try Household()
        let (running, port) = try await home.served()
        // Twelve ask again and again, each on a new connection, until nobody listens; after some answers the hub is told to stop.
        let others = """
            import os, signal, socket, sys, threading
            port, pid, told, answers = int(sys.argv[1]), int(sys.argv[2]), threading.Event(), []
            def ask():
                while True:
                    try:
                        with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
                            line.sendall(b"GET /health HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
                            while line.recv(4096): pass
                    except ConnectionRefusedError: return
                    except OSError: continue
                    answers.append(1)
                    if len(answers) > 200 and not told.is_set():
                        told.set()
                        os.kill(pid, signal.SIGTERM)
            threads = [threading.Thread(target=ask) for _ in range(12)]
            for one in threads: one.start()
            for one in threads: one.join()
            """
        let asked = try await home.shell(
            "python3 -c \"$OTHERS\" \(port) \(running.pid)", environment: ["OTHERS": others])
        #expect(asked.status == 0, "\(asked.errors)")
        let outcome = try await running.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
    }

    @Test func `a hub that is told to stop answers what it is being sent, and says nothing of errors`() async throws {
        let home = try Household()
        let (running, port) = try await home.served()
        // Half of a request is read when the hub is told to stop; the rest follows when nobody can connect any more.
        let other = """
            import os, signal, socket, sys
            port, pid = int(sys.argv[1]), int(sys.argv[2])
            body = b"client_name=Half&redirect_uris=urn:ietf:wg:oauth:2.0:oob"
            line = socket.create_connection(("127.0.0.1", port), timeout=20)
            ends = (":%04X" % port, ":%04X" % line.getsockname()[1])
            def unread():
                for entry in open("/proc/net/tcp").read().splitlines()[1:]:
                    part = entry.split()
                    if part[1].endswith(ends[0]) and part[2].endswith(ends[1]): return not part[4].endswith(":00000000")
                return True
            line.sendall(
                b"POST /api/v1/apps HTTP/1.1\\r\\nHost: 127.0.0.1:%d\\r\\nContent-Type: application/x-www-form-urlencoded"
                b"\\r\\nContent-Length: %d\\r\\nConnection: close\\r\\n\\r\\n" % (port, len(body)) + body[:20])
            while unread(): pass
            os.kill(pid, signal.SIGTERM)
            while True:
                try: socket.create_connection(("127.0.0.1", port), timeout=20).close()
                except ConnectionRefusedError: break
                except OSError: pass
            line.sendall(body[20:])
            text = b""
            while part := line.recv(4096): text += part
            print(text.decode())
            """
        let asked = try await home.shell(
            "python3 -c \"$OTHER\" \(port) \(running.pid)", environment: ["OTHER": other])
        let isAnswered = asked.text.hasPrefix("HTTP/1.1 200") && asked.text.contains("client_secret")
        #expect(isAnswered, "\(asked.text)\(asked.errors)")
        let outcome = try await running.outcome()
        #expect(outcome.status == 130 && !outcome.errors.contains("error"), "\(outcome.errors)")
    }
}

extension Household {
    /// What a statement on the journal gives, by a program that is not Chirp.
    fileprivate func sql(_ statement: String) async throws -> String {
        try await query(statement, in: "state/chirp/journal.sqlite")
    }

    /// How many posts the hub has.
    fileprivate func posts() async throws -> String {
        try await query("SELECT count(*) FROM posts", in: "data/chirp/hub/hub.sqlite")
    }

    private func query(_ statement: String, in path: String) async throws -> String {
        let program = """
            import sqlite3, sys
            base = sqlite3.connect(sys.argv[1], timeout=30)
            row = base.execute(sys.argv[2]).fetchone()
            base.commit()
            print('' if row is None else row[0])
            """
        let outcome = try await shell(
            "python3 -c \"$PROGRAM\" ../\(path) \"$STATEMENT\"",
            environment: ["PROGRAM": program, "STATEMENT": statement])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.text.trimmingCharacters(in: .newlines)
    }
}
