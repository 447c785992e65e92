internal import ChirpAudio
internal import ChirpCodecs
internal import Synchronization

/// The digest of a recording, found while something else is done with it.
final class InputDigest: Sendable {
    private let outcome: Mutex<Result<String, AudioError>?>

    /// - Parameter known: nil when it has to be found.
    init(known: String?) { outcome = Mutex(known.map { .success($0) }) }

    var isKnown: Bool { outcome.withLock { $0 != nil } }

    /// Reads the whole file.
    func find(_ path: String, isUnwanted: () -> Bool) {
        let found = Result { () throws(AudioError) in try hashFile(path, isUnwanted: isUnwanted).sha256 }
        outcome.withLock { $0 = found }
    }

    /// - Throws: what reading threw; `cancelled` when it did not come to its end.
    func result() throws(AudioError) -> String {
        guard let outcome = outcome.withLock({ $0 }) else { throw .cancelled }
        return try outcome.get()
    }
}
