internal import ChirpCore
internal import ChirpFiles
internal import Crypto

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
