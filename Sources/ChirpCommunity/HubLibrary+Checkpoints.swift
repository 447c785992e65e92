internal import ChirpCore
internal import ChirpDatabase

extension HubLibrary {
    /// Moves what was committed into the library's file, so that no commit has to: for the process on duty, every few seconds.
    package func checkpoint() async throws(LibraryError) {
        do throws(DatabaseFailure) {
            try await offPool { [checkpoints] () throws(DatabaseFailure) in try checkpoints.move() }
        } catch {
            throw LibraryError(error, path: file.path)
        }
    }
}
