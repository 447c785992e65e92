internal import ChirpAudio
internal import ChirpCodecs
internal import Synchronization

/// The digest of a recording, found while something else is done with it.
final class InputDigest: Sendable {
    private let outcome = Mutex(Result<String, AudioError>.failure(.cancelled))

    /// Reads the whole file.
    func find(_ path: String, isUnwanted: () -> Bool) {
        let found = Result { () throws(AudioError) in try hashFile(path, isUnwanted: isUnwanted).sha256 }
        outcome.withLock { $0 = found }
    }

    /// - Throws: what reading threw; `cancelled` when it did not come to its end.
    func result() throws(AudioError) -> String { try outcome.withLock { $0 }.get() }
}
