import ChirpTestKit
import Foundation
import Glibc

/// A user of one's own for one test: home, settings, journal, hub and temporaries in a folder that goes with the test.
final class Household: Sendable {
    private let folder: TemporaryFolder
    /// Where the programs are started, and where relative names point.
    let work: String
    private let scratch: String

    init() throws {
        folder = try TemporaryFolder()
        work = folder.path("work")
        scratch = folder.path("scratch")
        for name in ["work", "scratch", "home", "tmp"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
    }

    var environment: [String: String] {
        [
            "HOME": folder.path("home"), "TMPDIR": folder.path("tmp"), "LANG": "C.UTF-8", "TZ": "UTC",
            "PATH": "\(BuiltProgram.folder):/usr/local/bin:/usr/bin:/bin",
            "XDG_CONFIG_HOME": folder.path("config"), "XDG_DATA_HOME": folder.path("data"),
            "XDG_STATE_HOME": folder.path("state"), "XDG_CACHE_HOME": folder.path("cache"),
            // A crash must show as one; its report would take seconds.
            "SWIFT_BACKTRACE": "enable=no",
        ]
    }

    func path(_ name: String) -> String { "\(work)/\(name)" }

    /// One of the household's folders, such as `state`.
    func top(_ name: String) -> String { folder.path(name) }

    /// Writes a file into the working folder.
    @discardableResult
    func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// Writes the usual configuration file.
    func configure(_ yaml: String) throws {
        let target = folder.path("config") + "/chirp"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try Data(yaml.utf8).write(to: URL(filePath: "\(target)/config.yaml"))
    }

    /// Starts the program.
    func start(
        _ arguments: [String], input: String = "/dev/null", output: String? = nil,
        environment extra: [String: String] = [:]
    ) throws -> Running {
        try Running(
            [BuiltProgram.path] + arguments, environment: environment.merging(extra) { $1 }, folder: work, input: input,
            scratch: scratch, output: output, owner: self)
    }

    /// Runs the program to its end.
    func run(
        _ arguments: String..., input: String = "/dev/null", output: String? = nil,
        environment extra: [String: String] = [:]
    ) async throws -> Outcome {
        try await start(arguments, input: input, output: output, environment: extra).outcome()
    }

    /// Starts the program on a terminal of its own (util-linux' `script`), which gets what is written to the input.
    func startOnTerminal(
        _ arguments: String, input: String, environment extra: [String: String] = [:]
    ) throws -> Running {
        try Running(
            ["/usr/bin/script", "-q", "-e", "-c", "\(BuiltProgram.path) \(arguments)", "/dev/null"],
            environment: environment.merging(["TERM": "xterm"]) { $1 }.merging(extra) { $1 }, folder: work,
            input: input, scratch: scratch, owner: self)
    }

    /// Runs a line of shell, with `chirp` on the path and failures of a pipe's parts as failures.
    func shell(_ line: String, environment extra: [String: String] = [:]) async throws -> Outcome {
        try await startShell(line, environment: extra).outcome()
    }

    /// The same, without waiting for its end.
    func startShell(_ line: String, environment extra: [String: String] = [:]) throws -> Running {
        try Running(
            ["/bin/bash", "-o", "pipefail", "-c", line], environment: environment.merging(extra) { $1 }, folder: work,
            scratch: scratch, owner: self)
    }

    /// The largest resident size of a run, in kB.
    ///
    /// GNU time starts the program from a small process: a child's peak begins with the size of what started it.
    func peakKilobytes(_ arguments: [String]) async throws -> Int {
        let figure = "\(scratch)/peak"
        _ = try await Running(
            ["/usr/bin/time", "-q", "-f", "%M", "-o", figure, BuiltProgram.path] + arguments, environment: environment,
            folder: work, scratch: scratch, owner: self
        ).outcome()
        let text = try String(contentsOfFile: figure, encoding: .utf8)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .max
    }

    /// Every file below the household's folders except what the test itself wrote, by path from the top.
    func files(in top: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder.path(top))?.compactMap { $0 as? String } ?? []
        return names.filter {
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: "\(folder.path(top))/\($0)", isDirectory: &isFolder)
            return exists && !isFolder.boolValue
        }.sorted()
    }
}
