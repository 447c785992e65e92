import CConfine
import ChirpCore
import ChirpFiles
import ChirpTestKit
import Foundation
import Glibc
import Testing

/// How a process is bound.
enum BoundKind: String, CaseIterable, Sendable {
    /// This program, which binds itself before it decodes.
    case decoder
    /// `ffmpeg` and `espeak-ng`.
    case program
    /// The same with files that it writes.
    case writer
    /// This program, which starts `ffmpeg`.
    case starter
    /// A program of the owner's, which may start others.
    case owners

    /// Without a bound, for comparison.
    static let free: Self? = nil

    var limits: ConfinedProcess.Limits {
        ConfinedProcess.Limits(
            processorTime: .seconds(10), memory: ByteCount(256 << 20), file: ByteCount(1 << 20),
            isForeign: self != .decoder, isSelf: self == .starter, startsPrograms: self == .owners)
    }

    /// What succeeds all the same. It stands in Docs/threat-model.md.
    ///
    /// - Parameter landlock: the version that binds the process.
    func remaining(landlock: Int) -> Set<String> {
        guard self != .decoder else { return [] }
        // Facts of files by their names, and code that is loaded from files.
        var names: Set = [
            "stat", "stat-empty", "stat-below", "statx", "access", "access-2", "readlink", "statfs", "old-stat",
            "old-lstat", "old-access", "old-readlink", "mmap-file-code",
        ]
        // A starter was started by no limit of its own, and what it starts is bound by it.
        if self == .starter { names.formUnion(["fork", "execve-system", "pdeathsig"]) }
        if self == .owners {
            names.formUnion(["fork", "old-fork", "execve-system", "mmap-code", "mprotect-code", "pkey-code"])
        }
        if landlock == 0 {
            names.formUnion(["open-read", "open-folder", "old-open", "proc-environ"])
            if self == .writer {
                names.formUnion(["open-write", "open-both", "open-new", "open-nameless", "old-write", "proc-mem"])
            }
            if self == .starter { names.formUnion(["execve", "pidfd-signal"]) }
            if self == .owners { names.insert("execve") }
        }
        // Landlock lets none of them be reached, and the kernel says that this is no error.
        if self == .owners, landlock >= 6 { names.insert("kill-all") }
        return names
    }
}

/// Files that were made to be reached for, and a process that sleeps, for the program `bound`.
final class BoundScene {
    enum Outcome: Hashable, Sendable { case couldNot, could, killed, other(ConfinedProcess.Ending) }

    static let program = "\(BuiltProgram.folder)/bound"

    /// Where Swift's library lies, which every program of a debug build is linked with; nil when it is inside.
    private static let libraries: String? = {
        let needed = (try? ExternalProgram("ldd").run([program]).text) ?? ""
        guard let path = needed.firstMatch(of: /libswiftCore\.so => (\S+)/)?.1 else { return nil }
        return URL(filePath: String(path)).deletingLastPathComponent().path(percentEncoded: false)
    }()

    private let folder: TemporaryFolder
    private let victim: StartedProgram

    deinit {
        victim.send(SIGKILL)
        victim.wait()
    }

    init() throws {
        folder = try TemporaryFolder()
        victim = try StartedProgram(["sleep", "600"])
        try restore()
    }

    /// As it was in the beginning.
    func restore() throws {
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: folder.path(".")) {
            try files.removeItem(atPath: folder.path(name))
        }
        try Data("secret".utf8).write(to: URL(filePath: folder.path("secret")))
        try Data(repeating: 0, count: 8192).write(to: URL(filePath: folder.path("held")))
        try files.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: false)
        try files.copyItem(atPath: "/bin/false", toPath: folder.path("tool"))
        try #require(chmod(folder.path("secret"), 0o600) == 0)
    }

    /// What is there of it: names, content, and facts that only its owner may change.
    func state() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).sorted().map { name in
            var facts = stat()
            try #require(lstat(folder.path(name), &facts) == 0)
            return "\(name) \(facts.st_mode) \(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
        }
    }

    /// Names of all attempts; whether one succeeds everywhere where nothing is bound.
    static func attempts() throws -> [(name: String, isOrdinary: Bool)] {
        try ExternalProgram(program).run(["list"]).text.split(separator: "\n").map { line in
            (line.hasSuffix("!") ? String(line.dropLast()) : String(line), line.hasSuffix("!"))
        }
    }

    /// - Parameters:
    ///   - kind: nil for none.
    ///   - landlock: the newest version that is used.
    func outcome(of attempt: String, _ kind: BoundKind?, landlock: Int) throws -> Outcome {
        let mode = kind == nil ? "free" : kind == .decoder ? "decoder" : "started"
        let held = try OpenFile(folder.path("held"), flags: kind == .writer ? O_RDWR : O_RDONLY)
        let libraries = try OpenFile(Self.libraries ?? "/usr/lib", flags: O_RDONLY | O_DIRECTORY)
        let limits =
            kind?.limits ?? ConfinedProcess.Limits(processorTime: .seconds(10), file: ByteCount(1 << 20))
        return try ConfinedProcess.$newestLandlock.withValue(landlock) {
            let process = try ConfinedProcess(
                Self.program, arguments: [mode, "\(landlock + 1)", attempt, folder.path(""), "\(victim.pid)"],
                descriptors: [nil, nil, nil, held.raw, libraries.raw], limits: limits)
            switch process.ending() {
            case .exited(0): return .couldNot
            case .exited(1): return .could
            case .killed(SIGSYS): return .killed
            case let ending: return .other(ending)
            }
        }
    }
}
