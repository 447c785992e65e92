internal import ChirpCore
internal import ChirpFiles
internal import Crypto

/// The check that a payload's file is what was promised. An unbroken seal says so; otherwise the file is read while its bytes are
/// already on their way, which costs about as much as sending them over a quick line. It ends with this object at the latest.
final class Verification: Sendable {
    private let payload: Payload
    private let reading: Task<StoreError?, Never>?

    /// Begins to read what is not sealed.
    init(of payload: Payload) {
        self.payload = payload
        reading = Self.isSealed(payload) ? nil : Self.read(payload)
    }

    deinit { reading?.cancel() }

    private static func isSealed(_ payload: Payload) -> Bool {
        payload.seal.map { $0 == FileSeal(payload.path) } ?? false
    }

    private static func read(_ payload: Payload) -> Task<StoreError?, Never> {
        Task {
            await offPool { () -> StoreError? in
                do throws(StoreError) {
                    try payload.check(payload.digest { (_) throws(FileError) in })
                    return nil
                } catch {
                    return error
                }
            }
        }
    }

    /// Returns when it is certain that the file is the right one.
    func pass() async throws(StoreError) {
        // Looked at again: what was sent meanwhile is right only if nobody wrote meanwhile.
        if reading == nil && Self.isSealed(payload) { return }
        let task = reading ?? Self.read(payload)
        let failure = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if let failure { throw failure }
    }

    /// The file's MD5 in lower-case hexadecimal. Reads the file once more: only for services that tell nothing better.
    func md5() async throws(StoreError) -> String {
        try await pass()
        let path = payload.path
        return try await offPool { () throws(StoreError) in try MD5Digest.ofFile(at: path) }
    }
}

/// MD5 as Drive tells it of its files: a check against accidents, not against forgery.
enum MD5Digest {
    /// Reads the file once.
    static func ofFile(at path: String) throws(StoreError) -> String {
        var hash = Insecure.MD5()
        do throws(FileError) {
            try FileContent.read(path) { (piece) throws(FileError) in hash.update(bufferPointer: piece) }
        } catch {
            throw error.isCancellation ? .cancelled : error.asStoreError()
        }
        return hash.finalize().hexadecimal
    }
}
