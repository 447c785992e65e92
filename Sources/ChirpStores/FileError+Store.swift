package import ChirpCore
package import ChirpFiles

extension FileError {
    /// The same fault as a store tells it.
    ///
    /// - Parameter needed: what was being stored; nil when nothing was.
    package func asStoreError(needed: ByteCount? = nil) -> StoreError {
        if isFull, let needed { return .full(needed: needed, free: nil) }
        return .inputOutput(path: path, reason: reason)
    }
}
