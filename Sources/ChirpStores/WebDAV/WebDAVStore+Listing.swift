public import FoundationEssentials

extension WebDAVStore: ListingStore {
    public func ids(beginningWith prefix: String) async throws(StoreError) -> [StoredObject.ID] {
        let ids = try await server.entries().map(\.name).filter { $0.hasPrefix(prefix) }.map { StoredObject.ID($0) }
            .filter(FolderStore.isSafe)
        try StoredObject.checkListed(ids.count)
        return ids
    }

    /// Removes uploads that nobody has gone on with for a week.
    public func tidy(at now: Date) async throws(StoreError) {
        let prefix = Self.temporary(StoredObject.ID(""))
        for entry in try await server.entries() where entry.name.hasPrefix(prefix) {
            guard FolderStore.isSafe(StoredObject.ID(entry.name)), let modified = entry.modified,
                now.timeIntervalSince(modified) > 7 * 86_400
            else { continue }
            try await server.delete(entry.name)
        }
    }
}
