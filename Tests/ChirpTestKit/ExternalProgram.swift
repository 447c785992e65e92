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
        let status = try StartedProgram([name] + arguments, input: paths[0], output: paths[1], errors: paths[2]).wait()
        let output = try Data(contentsOf: URL(filePath: paths[1]))
        let errors = try Data(contentsOf: URL(filePath: paths[2]))
        return Result(status: status, output: [UInt8](output), errors: String(decoding: errors, as: UTF8.self))
    }
}
