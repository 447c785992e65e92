import ChirpAudio
import ChirpClips
import ChirpStores
import Glibc

/// What a command was given to read, as a regular file.
struct Input: Sendable {
    let path: String
    /// What the user calls it: the file's name, or `standard input`.
    let name: String

    static func with<T>(_ argument: String, _ body: (Input) async throws -> T) async throws -> T {
        try await body(Input(path: argument, name: argument))
    }

    var source: ClipSource { ClipSource(path: path, name: name, sha256: "") }
}
