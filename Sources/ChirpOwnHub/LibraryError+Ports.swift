internal import ChirpCommunity
internal import ChirpCore
internal import ChirpNetworks
internal import ChirpStores

extension LibraryError {
    /// The same failure as a store tells it.
    var asStoreError: StoreError {
        switch self {
        case .busy: .busy(retryAfter: nil)
        case .cancelled: .cancelled
        case .noSpace(let path): .inputOutput(path: path, reason: "no space is left")
        case .inputOutput(let path, let reason), .unusableFolder(let path, let reason):
            .inputOutput(path: path, reason: reason)
        case .newerLibrary: .refused(status: 500, detail: whatHappened)
        }
    }

    /// The same failure as a network tells it.
    var asNetworkError: NetworkError {
        switch self {
        case .busy: .busy(retryAfter: nil)
        case .cancelled: .cancelled
        case .noSpace(let path): .inputOutput(path: path, reason: "no space is left")
        case .inputOutput(let path, let reason), .unusableFolder(let path, let reason):
            .inputOutput(path: path, reason: reason)
        case .newerLibrary: .refused(status: 500, detail: whatHappened)
        }
    }
}
