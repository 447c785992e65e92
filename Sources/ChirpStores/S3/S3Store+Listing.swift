public import FoundationEssentials

extension S3Store: ListingStore {
    public func ids(beginningWith prefix: String) async throws(StoreError) -> [StoredObject.ID] {
        try await bucket.ids(beginningWith: prefix)
    }

    public func tidy(at now: Date) async throws(StoreError) { _ = try await sweep(at: now) }
}
