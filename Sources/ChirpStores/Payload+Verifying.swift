internal import ChirpCore
package import ChirpFiles
internal import Glibc

extension Payload {
    /// Reads the file once and tells what it holds; each piece is handed on.
    ///
    /// It stops at the first byte beyond the promised size, so that a file that grows cannot fill a store.
    package func digest(
        each: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(StoreError) -> FileDigest {
        do throws(FileError) {
            return try FileDigest.reading(path, limit: bytes, each: each)
        } catch {
            switch error.number {
            case ECANCELED: throw .cancelled
            case EFBIG:
                throw .inputOutput(path: path, reason: "it is longer than the \(bytes) bytes that were promised")
            default: throw error.asStoreError(needed: ByteCount(bytes))
            }
        }
    }

    /// Refuses a file that is not the one that was promised.
    package func check(_ found: FileDigest) throws(StoreError) {
        guard found.bytes == bytes else {
            throw .inputOutput(path: path, reason: "it has \(found.bytes) bytes, \(bytes) were promised")
        }
        guard found.sha256 == sha256 else {
            throw .inputOutput(path: path, reason: "its checksum is not the one that was promised")
        }
    }

    /// The answer when the id is taken: success for the same bytes, a refusal for others.
    package func matching(_ existing: FileDigest, id: StoredObject.ID) throws(StoreError) -> StoredObject {
        guard existing.bytes == bytes, existing.sha256 == sha256 else {
            throw .refused(status: 409, detail: "the id '\(id)' already holds other bytes")
        }
        return StoredObject(id: id, bytes: bytes)
    }
}
