internal import ChirpAudio
package import ChirpClips
internal import ChirpCodecs
package import ChirpCore
internal import FoundationEssentials
internal import Glibc

/// What a command was given to read, as a regular file that can be read twice.
package struct Input: Sendable {
    package let path: String
    /// What the user calls it: the file's name, or `standard input`. No folder: it may end up in a receipt (CH-14).
    package let name: String
    package let source: ClipSource
    /// The file is a copy of what came through a pipe, and somebody must remove it.
    let isTemporary: Bool

    /// The most that is taken from a pipe: a day of 24-bit stereo at 48 kHz, nearly.
    package static let maximumBytes = ByteCount(24_000_000_000)

    /// Takes a file where it is, and a pipe as a whole.
    ///
    /// - Parameters:
    ///   - argument: a path, or `-`.
    ///   - folder: where copies of pipes go; it exists.
    ///   - digests: false when nobody needs a file's digest before it is analysed.
    ///   - lasts: whether a copy must outlive a power cut.
    /// - Throws: ``AudioError``, and ``UsageError`` when nothing is piped in.
    package init(_ argument: String, spoolingInto folder: String, digests: Bool = true, lasts: Bool = false)
        async throws
    {
        if argument == "-" && isatty(STDIN_FILENO) == 1 {
            throw UsageError("standard input is a terminal", cure: "Pipe a recording in, or name a file")
        }
        let taken = try await offPool { () throws(AudioError) in
            let limit = Self.maximumBytes
            if argument == "-" { return try spool(from: STDIN_FILENO, into: folder, limit: limit, lasts: lasts) }
            if let raw = RawName(argument) { return try raw.spooled(into: folder, limit: limit, lasts: lasts) }
            return try takeInput(
                at: argument, spoolingInto: folder, limit: limit, digests: digests, lasts: lasts)
        }
        // The journal may be resumed from another folder.
        path = taken.path.hasPrefix("/") ? taken.path : FileManager.default.currentDirectoryPath + "/" + taken.path
        let last = argument.split(separator: "/").last.map(String.init) ?? argument
        name = argument == "-" ? "standard input" : PlainText(last, limit: 200).value
        isTemporary = taken.isTemporary
        source = ClipSource(path: path, name: name, sha256: taken.sha256)
    }

    /// Takes an input for as long as the body runs.
    package static func with<T>(
        _ argument: String, _ session: Session, digests: Bool = true, _ body: (Input) async throws -> T
    ) async throws -> T {
        let input = try await Input(argument, spoolingInto: session.paths.temporary, digests: digests)
        defer { input.remove() }
        return try await body(input)
    }

    /// Removes the copy of a pipe; a user's own file stays.
    package func remove() {
        if isTemporary { unlink(path) }
    }
}
