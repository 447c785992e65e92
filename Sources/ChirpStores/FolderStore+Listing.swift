internal import ChirpCore
internal import ChirpFiles
public import FoundationEssentials

extension FolderStore: ListingStore {
    public func ids(beginningWith prefix: String) async throws(StoreError) -> [StoredObject.ID] {
        let path = settings.path
        let names = try await offPool { () throws(StoreError) in
            try Self.checkCancellation()
            do throws(FileError) { return try FolderListing(path).names } catch {
                if error.isMissing { return [] }
                throw error.asStoreError()
            }
        }
        let ids = names.filter { $0.hasPrefix(prefix) }.map { StoredObject.ID($0) }.filter(Self.isSafe)
        try StoredObject.checkListed(ids.count)
        return ids
    }

    public func tidy(at now: Date) async throws(StoreError) { _ = await removeStrays() }
}
