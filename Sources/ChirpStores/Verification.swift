internal import ChirpCore

/// The check that a payload's file is what was promised, going on while its bytes are already on their way: reading a file once
/// costs about as much as sending it over a quick line. It ends with this object at the latest.
final class Verification: Sendable {
    private let payload: Payload
    private let task: Task<StoreError?, Never>

    /// Begins to read.
    init(of payload: Payload) {
        self.payload = payload
        task = Task {
            await offPool { () -> StoreError? in
                do throws(StoreError) {
                    try payload.check(payload.digest { (_) throws(SystemFault) in })
                    return nil
                } catch {
                    return error
                }
            }
        }
    }

    deinit { task.cancel() }

    /// Returns when it is certain that the file is the right one.
    func pass() async throws(StoreError) {
        let task = task
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
