import ChirpIntake
import ChirpTestKit
import Foundation
import Testing

extension IntakeTests {
    /// A program of the owner's that writes down what is said (CH-25).
    @Suite struct TranscriberTests {
        private let folder: TemporaryFolder
        private let hello = BuiltProgram.sample("hello.wav")

        init() throws { folder = try TemporaryFolder() }

        /// A program in a folder of its own, and what it is called by.
        private func program(_ text: String, name: String = "tool/transcribe") throws -> String {
            let path = folder.path(name)
            try FileManager.default.createDirectory(
                atPath: folder.path("tool"), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return path
        }

        private func transcriber(_ command: String, base: Duration = .seconds(120)) -> Transcriber {
            Transcriber(
                command: command, intake: Intake(program: BuiltProgram.path), folder: folder.path(""), base: base)
        }

        private func transcript(_ command: String, base: Duration = .seconds(120)) async -> Result<String, any Error> {
            let (transcriber, hello) = (transcriber(command, base: base), hello)
            do {
                let words = try await Task.detached { try transcriber.transcript(of: hello, seconds: 0) }.value
                return .success(words)
            } catch {
                return .failure(error)
            }
        }

        private func why(_ result: Result<String, any Error>) -> String {
            guard case .failure(let error) = result else { return "" }
            return "\(error)"
        }

        @Test func `it gets a WAV of 16 kHz, one channel and 16 bits, and its words come back`() async throws {
            let script = """
                import sys, wave
                sound = wave.open(sys.stdin.buffer)
                model = open(sys.argv[1]).read().strip()
                loudest = max(abs(int.from_bytes(sound.readframes(1), 'little', signed=True)) for _ in range(sound.getnframes()))
                print(f"WEBVTT\\n\\n00:00.000 --> 00:01.000\\n{model} {sound.getframerate()} {sound.getnchannels()} "
                    f"{sound.getsampwidth()} {sound.getnframes() > 8000} {loudest > 1000}")
                """
            let path = try program(script, name: "tool/transcribe.py")
            _ = try program("tiny", name: "tool/model")
            let said = try await transcript("python3 \(path) \(folder.path("tool/model"))").get()
            #expect(said == "WEBVTT\n\n00:00.000 --> 00:01.000\ntiny 16000 1 2 True True\n")
            // Nothing is left of it.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["tool"])
        }

        @Test func `a program has no environment, writes nothing and reads no other folder`() async throws {
            let secret = try program("secret", name: "other")
            let script = try program(
                """
                #!/bin/sh
                printenv HOME
                cat \(secret) 2>/dev/null
                echo x 2>/dev/null >"${0%/*}/written"
                cat >/dev/null
                echo done
                """)
            #expect(try await transcript(script).get() == "done\n")
            #expect(!FileManager.default.fileExists(atPath: folder.path("tool/written")))
        }

        @Test func `what goes wrong is said`() async throws {
            let failing = try program("#!/bin/sh\necho no model >&2\nexit 3\n")
            #expect(why(await transcript(failing)).contains("ended with code 3: no model"))
            let talking = try program("#!/bin/sh\nyes\n")
            #expect(why(await transcript(talking)).contains("more than 200 kB"))
            #expect(why(await transcript(folder.path("none"))).contains("is not there"))
            #expect(transcriber("no-such-program -x").program == nil && transcriber("").program == nil)
            #expect(transcriber("sh -c true").program?.hasSuffix("/sh") == true)
        }

        @Test func `a program that does not end is ended, with what it has started`() async throws {
            let script = try program("#!/bin/sh\nsleep 600 &\nsleep 600\n")
            #expect(why(await transcript(script, base: .milliseconds(300))).contains("longer than it may"))
        }

        @Test func `a clip that is none is no fault of the program`() throws {
            let broken = folder.path("broken")
            try Data("no sound".utf8).write(to: URL(filePath: broken))
            let path = try program("#!/bin/sh\ntrue\n")
            #expect(throws: Transcriber.Failure.self) { try transcriber(path).transcript(of: broken, seconds: 1) }
        }
    }
}
