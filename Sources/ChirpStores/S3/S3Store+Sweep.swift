public import FoundationEssentials

extension S3Store {
    /// Gives up uploads in parts that nobody has gone on with: what is left of publications that were dropped, or whose machine is
    /// gone. Repeatable. An upload that is still wanted begins anew.
    ///
    /// - Returns: how many; 0 also where the service or the keys do not let them be listed, and it is the service's to clean up.
    public func sweep(at now: Date) async throws(StoreError) -> Int {
        let begun: [S3Bucket.Begun]
        do throws(StoreError) { begun = try await bucket.begun() } catch {
            switch error {
            case .forbidden, .refused(status: 405, _), .refused(status: 501, _): return 0
            default: throw error
            }
        }
        let old = begun.filter { $0.since.map { now.timeIntervalSince($0) > Self.patience } ?? false }
        for begun in old { try await bucket.abandon(begun) }
        return old.count
    }

    /// A week: as long as a publication may wait for the network without sending all again.
    private static let patience: Double = 7 * 86_400
}
