import ChirpTestKit
import Foundation
import Glibc

/// A started program. Its output goes to files, so that no side waits for the other.
struct Running: Sendable {
    private let program: StartedProgram
    /// Its folders must outlive it.
    private let owner: Household
    private let outputPath: String
    private let errorPath: String

    /// - Parameters:
    ///   - words: the program's path and its arguments.
    ///   - folder: the current folder of the program.
    ///   - input: a file for standard input; `/dev/null` for none.
    ///   - scratch: where the outputs go.
    init(
        _ words: [String], environment: [String: String], folder: String, input: String = "/dev/null", scratch: String,
        output: String? = nil, owner: Household
    ) throws {
        self.owner = owner
        let name = UUID().uuidString
        outputPath = output ?? "\(scratch)/\(name).out"
        errorPath = "\(scratch)/\(name).err"

        program = try StartedProgram(
            words, environment: environment, folder: folder, input: input, output: outputPath, errors: errorPath)
    }

    var pid: pid_t { program.pid }

    func send(_ signal: Int32) { program.send(signal) }

    /// Whether the system says that a signal has stopped it (`proc(5)`, the state behind the name).
    var isStopped: Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        return status.split(separator: ")").last?.hasPrefix(" T") == true
    }

    /// What has been written to standard error so far.
    var errorsSoFar: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }
    var outputSoFar: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }

    /// Waits for its end.
    func outcome() async throws -> Outcome {
        let status = await program.end()
        return Outcome(
            status: status >= 0 ? status : nil, signal: status < 0 ? -status : nil,
            output: FileManager.default.contents(atPath: outputPath) ?? Data(), errors: errorsSoFar)
    }
}
