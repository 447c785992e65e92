public import FoundationEssentials

extension S3Store {
    /// Gives up uploads in parts that nobody has gone on with: what is left of publications that were dropped, or whose machine is
    /// gone. Repeatable. An upload that is still wanted begins anew.
    ///
    /// - Returns: how many.
    public func sweep(at now: Date) async throws(StoreError) -> Int {
        let old = try await bucket.begun().filter { begun in
            begun.since.map { now.timeIntervalSince($0) > Self.patience } ?? false
        }
        for begun in old { try await bucket.abandon(begun) }
        return old.count
    }

    /// A week: as long as a publication may wait for the network without sending all again.
    private static let patience: Double = 7 * 86_400
}
