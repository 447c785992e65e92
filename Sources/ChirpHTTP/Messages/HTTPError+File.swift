internal import ChirpFiles

extension HTTPError {
    /// A file on the way that failed.
    init(_ error: FileError) { self = .inputOutput(path: error.path, reason: error.reason) }
}
