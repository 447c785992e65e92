internal import Foundation

/// A program from outside the project that tests compare with. Set-up installs all of them: a missing one is a failure.
public struct ExternalProgram: Sendable {
    /// What a run gave.
    public struct Result: Sendable {
        public let status: Int32
        public let output: [UInt8]
        public let errors: String
        /// The output as text, without white space at both ends.
        public var text: String {
            String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private let name: String

    /// - Parameter name: looked up on the path.
    public init(_ name: String) { self.name = name }

    /// Runs it to its end.
    ///
    /// - Parameter input: given on standard input; empty by default.
    public func run(_ arguments: [String], input: [UInt8] = []) throws -> Result {
        // Files instead of pipes: no side can wait for the other.
        let folder = try TemporaryFolder()
        let paths = ["in", "out", "err"].map { folder.path($0) }
        try Data(input).write(to: URL(filePath: paths[0]))
        for path in paths[1...] { try Data().write(to: URL(filePath: path)) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: paths[0]))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: paths[1]))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: paths[2]))
        try process.run()
        process.waitUntilExit()
        let output = try Data(contentsOf: URL(filePath: paths[1]))
        let errors = try Data(contentsOf: URL(filePath: paths[2]))
        return Result(
            status: process.terminationStatus, output: [UInt8](output), errors: String(decoding: errors, as: UTF8.self))
    }
}
