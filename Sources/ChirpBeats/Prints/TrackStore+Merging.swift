package import ChirpBoards

extension TrackStore {
    /// Merges the keys of new prints when enough are gathered, and removes those of erased ones: in a library of 100,000 tracks for minutes. May be
    /// repeated, and cut off anywhere.
    ///
    /// - Parameter pace: how it rests meanwhile.
    package func mergePrints(_ pace: Pace, limits: PrintMerge.Limits = .init()) async throws {
        guard var merge = try await PrintMerge(library, limits: limits) else { return }
        while try await pace.piece({ try await merge.step() }) {}
    }
}
