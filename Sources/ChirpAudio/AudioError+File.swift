package import ChirpFiles

extension AudioError {
    /// A file that could not be read or written to its end; `cancelled` when nobody wanted it any more.
    package init(_ error: FileError) {
        self =
            error.isCancellation
            ? .cancelled : .inputOutput(path: error.path, reason: .system(error.error))
    }
}
