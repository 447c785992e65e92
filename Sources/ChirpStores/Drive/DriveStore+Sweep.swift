public import FoundationEssentials

extension DriveStore {
    /// Removes the clips whose time is over, whether or not this machine's journal knows them (CH-12). Repeatable.
    ///
    /// The time stands beside each clip in a property that only this application sees. Removing a file removes what anyone may
    /// do with it.
    /// - Parameter pause: sleeps between removals, because the service limits how often it is written to.
    /// - Returns: the ids of what was removed.
    public func sweep(
        at now: Date,
        pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(350)) }
    ) async throws(StoreError) -> [String] {
        let clips = try await client.list("appProperties has { key='chirp' and value='clip' } and trashed = false")
        var removed: [String] = []
        for clip in clips {
            guard let time = clip.appProperties?["expires"].flatMap({ Double($0) }), time <= now.timeIntervalSince1970
            else { continue }
            if !removed.isEmpty {
                do { try await pause() } catch { throw .cancelled }
            }
            try await remove(StoredObject.ID(clip.id))
            removed.append(clip.id)
        }
        return removed
    }
}
