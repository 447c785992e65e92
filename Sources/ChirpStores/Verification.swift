internal import ChirpCore
internal import Crypto

/// The check that a payload's file is what was promised, going on while its bytes are already on their way: reading a file once
/// costs about as much as sending it over a quick line. It ends with this object at the latest.
final class Verification: Sendable {
    private let task: Task<Result<String, StoreError>, Never>

    /// Begins to read.
    init(of payload: Payload) {
        task = Task {
            await offPool { () -> Result<String, StoreError> in
                var hash = Insecure.MD5()
                do throws(StoreError) {
                    let found = try payload.digest { (piece) throws(SystemFault) in hash.update(bufferPointer: piece) }
                    try payload.check(found)
                    return .success(FileDigest.hexadecimal(hash.finalize()))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    deinit { task.cancel() }

    /// The file's MD5 in lower-case hexadecimal, when it is certain that the file is the right one.
    func md5() async throws(StoreError) -> String {
        let task = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }
}
