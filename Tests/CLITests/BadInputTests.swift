import ChirpTestKit
import Foundation
import Glibc
import Testing

/// Each bad input gives one clear error with its code and leaves nothing half done.
@Suite struct BadInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let code: Int32
        let prepare: @Sendable (Household) throws -> Void
        var testDescription: String { name }
    }

    private static func wav(_ name: String, _ code: Int32, _ bytes: @escaping @Sendable () -> [UInt8]) -> Case {
        Case(name: name, code: code) { try $0.write(bytes(), to: "bad.wav") }
    }

    static let refused: [Case] = [
        wav("an empty file", 65) { [] },
        wav("a text named .wav", 65) { Array(String(repeating: "It was a dark night. ", count: 200).utf8) },
        Case(name: "a directory", code: 66) {
            try FileManager.default.createDirectory(atPath: $0.path("bad.wav"), withIntermediateDirectories: true)
        },
        Case(name: "a missing file", code: 66) { _ in },
        // Through links, since only their owner may make devices.
        Case(name: "a device without an end", code: 66) {
            try FileManager.default.createSymbolicLink(atPath: $0.path("bad.wav"), withDestinationPath: "/dev/zero")
        },
        Case(name: "a device that is empty", code: 66) {
            try FileManager.default.createSymbolicLink(atPath: $0.path("bad.wav"), withDestinationPath: "/dev/null")
        },
        Case(name: "a socket", code: 66) { try makeSocketFile("bad.wav", in: $0.work) },
        Case(name: "a link to itself", code: 66) {
            try FileManager.default.createSymbolicLink(atPath: $0.path("bad.wav"), withDestinationPath: "bad.wav")
        },
        wav("a header alone", 65) {
            Recording.header(format: 1, bits: 16, rate: 16000, channels: 1, dataBytes: 0, sizes: .right)
        },
        wav("all silence", 65) { Recording.wav([Float](repeating: 0, count: 16000)) },
        wav("only numbers that are none", 65) { Recording.floatWav([Float](repeating: .nan, count: 16000)) },
        wav("twelve channels", 65) {
            Recording.wav(Recording.voice(seconds: 0.5, channels: 12), channels: 12)
        },
        wav("a rate of 1 Hz", 65) { Recording.wav(Recording.voice(seconds: 1), rate: 1) },
        wav("a rate of 10 MHz", 65) { Recording.wav(Recording.voice(seconds: 1), rate: 10_000_000) },
        wav("noise of a random file", 65) { (0..<20000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) } },
    ]

    @Test(arguments: refused)
    func `what cannot be a clip is refused in two lines, without a half file, in little memory`(
        bad: Case
    ) async throws {
        let home = try Household()
        try bad.prepare(home)
        for command in [
            ["encode", "bad.wav", "-o", "clip.mp3"], ["publish", "bad.wav"], ["encode", "bad.wav", "-o", "-"],
        ] {
            let outcome = try await home.start(command).outcome()
            #expect(outcome.status == bad.code, "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errorLines.count == 2, "\(outcome.errors)")
        }
        #expect(try await home.peakKilobytes(["encode", "bad.wav", "-o", "clip.mp3"]) < 64_000)
        #expect(home.files(in: "work").filter { $0 != "bad.wav" }.isEmpty)
        #expect(home.files(in: "state/chirp/outbox").isEmpty)
        #expect(home.files(in: "data").filter { $0.hasSuffix(".mp3") }.isEmpty)
        let outbox = try await home.run("outbox", "--json")
        #expect((try outbox.json()["items"] as? [Any])?.isEmpty == true)
    }

    static let saved: [Case] = [
        wav("cut off in the middle", 0) { Array(Recording.wav(Recording.voice(seconds: 2)).prefix(40000)) },
        wav("a header that promises 4 GB", 0) {
            Recording.wav(Recording.voice(seconds: 1), sizes: .streaming(0xFFFF_FFF0))
        },
        wav("some numbers that are none", 0) {
            var samples = Recording.voice(seconds: 1)
            samples[500] = .nan
            samples[900] = .infinity
            samples[901] = -.infinity
            samples[1500] = 1e30
            return Recording.floatWav(samples)
        },
    ]

    @Test(arguments: saved)
    func `where sound can be saved there is a clip`(bad: Case) async throws {
        let home = try Household()
        try bad.prepare(home)
        let outcome = try await home.run("encode", "bad.wav", "-o", "clip.mp3", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await home.peakKilobytes(["encode", "bad.wav", "-o", "clip.mp3"]) < 64_000)
        let level = try #require(try outcome.json()["level"] as? [String: Any])
        #expect(try #require(level["truePeakDBTP"] as? Double) <= -1)
        let decoded = try await home.shell("ffmpeg -v error -i clip.mp3 -f null - 2>&1")
        #expect(decoded.text.isEmpty)
    }

    @Test func `a truncated file is said to be one`() async throws {
        let home = try Household()
        try home.write(Array(Recording.wav(Recording.voice(seconds: 2)).prefix(40000)), to: "cut.wav")
        let outcome = try await home.run("encode", "cut.wav", "-o", "clip.mp3", "--json")
        let notes = try #require(try outcome.json()["notes"] as? [[String: Any]])
        #expect(notes.contains { ($0["code"] as? String)?.contains("truncated") == true }, "\(notes)")
    }

    @Test func `an input that may not be read is missing`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        // Root may read everything, so a file in a folder that is none stands for it there.
        let outcome = try await home.run("encode", "take.wav/inside.wav", "-o", "clip.mp3")
        #expect(outcome.status == 66)
    }

    @Test(arguments: ["missing/clip.mp3", "/proc/clip.mp3", "."])
    func `an output that cannot be created ends with 73`(output: String) async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let outcome = try await home.run("encode", "take.wav", "-o", output)
        #expect(outcome.status == 73, "\(outcome.errors)")
        #expect(outcome.errorLines.count == 2)
        #expect(home.files(in: "work") == ["take.wav"])
    }

    @Test func `a full disk in the middle ends with 74 and leaves nothing`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let outcome = try await home.run("encode", "take.wav", "-o", "-", output: "/dev/full")
        #expect(outcome.status == 74, "\(outcome.errors)")
        #expect(outcome.errorLines.count == 2)
        // A limit on file sizes fails the same way as a disk that fills up while the clip is written.
        let limited = try await home.shell(
            "ulimit -f 4; trap '' XFSZ; chirp encode take.wav -o clip.mp3 --preset music")
        #expect(limited.status == 74, "\(limited.errors)")
        #expect(home.files(in: "work") == ["take.wav"])
        #expect(home.files(in: "tmp").isEmpty)
    }

    @Test func `a journal on a full disk is no silent success`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let outcome = try await home.shell("ulimit -f 4; trap '' XFSZ; chirp publish take.wav")
        #expect([73, 74].contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.text.isEmpty)
        let later = try await home.run("publish", "take.wav")
        #expect(later.status == 0, "\(later.errors)")
    }

    @Test func `a store without room takes nothing and exits with 4`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 2)), to: "take.wav")
        let outcome = try await home.run("publish", "take.wav", environment: ["CHIRP_HUB_LIMIT": "5k"])
        #expect(outcome.status == 4, "\(outcome.errors)")
        #expect(outcome.errorLines.first?.contains("5.0 kB") == true)
        #expect(outcome.output.isEmpty)
        #expect(home.files(in: "data").filter { $0.hasSuffix(".mp3") }.isEmpty)
        #expect(home.files(in: "state/chirp/outbox").isEmpty)
    }

    @Test func `names from outside reach the terminal without escapes`() async throws {
        let home = try Household()
        let name = "\u{1B}[31mred\u{7}\u{202E}gnp.wav"
        try home.write(Array("no sound".utf8), to: name)
        let outcome = try await home.run("encode", name, "-o", "clip.mp3")
        #expect(outcome.status == 65)
        #expect(!outcome.errors.unicodeScalars.contains { $0.value == 0x1B || $0.value == 7 || $0.value == 0x202E })
    }

    /// `caf\xE9.wav`, as older machines wrote it.
    @Test(arguments: ["encode NAME -o clip.mp3", "publish NAME", "inspect NAME"])
    func `a name that is no UTF-8 is read like any other`(command: String) async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 0.5)), to: "take.wav")
        let line = "mv take.wav $'caf\\xe9.wav' && chirp " + command.replacing("NAME", with: "$'caf\\xe9.wav'")
        let outcome = try await home.shell(line)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(home.files(in: "state/chirp/outbox").isEmpty && home.files(in: "tmp").isEmpty)
        let missing = try await home.shell("chirp encode $'caf\\xe8.wav' -o clip.mp3")
        #expect(missing.status == 66, "\(missing.errors)")
    }

    @Test func `a named pipe is read to its end`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 0.5)), to: "take.wav")
        let outcome = try await home.shell("mkfifo pipe && (cat take.wav > pipe &) && chirp publish pipe")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(home.files(in: "data/chirp/hub/media").count == 1)
    }

    @Test func `a recording that a pipe has taken the place of is gone, not waited for`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 0.5)), to: "take.wav")
        _ = try await home.run("publish", "take.wav", environment: ["CHIRP_FAULT": "begun"])
        let outcome = try await home.shell("rm take.wav && mkfifo take.wav && chirp outbox resume")
        #expect(outcome.status == 66, "\(outcome.errors)")
    }

    @Test func `what a library said of a file is told to those who ask for details`() async throws {
        let home = try Household()
        // An AIFF that ends behind its name.
        try home.write(Array("FORM".utf8) + [0, 0, 0, 4] + Array("AIFF".utf8), to: "take.aiff")
        let plain = try await home.run("encode", "take.aiff", "-o", "clip.mp3")
        #expect(plain.status == 65 && plain.errors.contains("AIFF file is damaged"))
        #expect(!plain.errors.contains("libsndfile"))
        let verbose = try await home.run("encode", "take.aiff", "-o", "clip.mp3", "-v")
        #expect(verbose.errors.contains("In detail: libsndfile: "))
        let document = try await home.run("encode", "take.aiff", "-o", "clip.mp3", "--json").json()
        #expect(((document["error"] as? [String: Any])?["detail"] as? String)?.hasPrefix("libsndfile") == true)
    }
}
