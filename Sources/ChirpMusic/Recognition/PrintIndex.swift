/// Finds which of very many prints may be of the same recording, without comparing them: by keys that they share.
///
/// A value in memory, eight bytes for each key: 150 MB for 100,000 tracks of three minutes. A table with the same rows does the same (``PrintKey``).
package struct PrintIndex: Sendable {
    /// Ascending by key.
    private var keys: [UInt32] = []
    private var owners: [UInt32] = []

    /// - Parameter prints: numbered by their places.
    package init(_ prints: some Collection<RecordingPrint>) {
        var rows: [UInt64] = []
        for (owner, print) in prints.enumerated() {
            for key in print.keys { rows.append(UInt64(key) << 32 | UInt64(UInt32(truncatingIfNeeded: owner))) }
        }
        rows.sort()
        keys = rows.map { UInt32(truncatingIfNeeded: $0 >> 32) }
        owners = rows.map { UInt32(truncatingIfNeeded: $0) }
    }

    /// The numbers of prints that are worth comparing: ``PrintSearch/candidates(_:owners:)``.
    package func candidates(_ probes: [UInt32]) -> [Int] {
        PrintSearch.candidates(probes) { probe in
            let first = firstIndex(from: probe)
            var end = first
            while end < keys.count, keys[end] == probe, end - first <= PrintSearch.mostOwners { end += 1 }
            return owners[first..<end]
        }.map { Int($0) }
    }

    private func firstIndex(from key: UInt32) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// How prints that are worth comparing are found by the keys that they share, in memory (``PrintIndex``) and in a table alike.
package enum PrintSearch {
    /// A key that more prints have than these says nothing about any of them: a drum loop that half the world uses.
    package static let mostOwners = 300
    /// Fewer shared keys are chance, unless there are hardly any to share.
    package static let leastShared = 2
    /// So many prints are compared at most; each takes a millisecond and more.
    package static let mostCompared = 8

    /// Those that share most with the probes, the most alike first; at most ``mostCompared``.
    ///
    /// - Parameters:
    ///   - probes: of a ``RecordingTrace``.
    ///   - owners: of one key; more than ``mostOwners`` need not be told.
    package static func candidates<Owners: Collection, Failure: Error>(
        _ probes: [UInt32], owners: (UInt32) throws(Failure) -> Owners
    ) throws(Failure) -> [Owners.Element] where Owners.Element: Hashable & Comparable {
        var shared: [Owners.Element: Int] = [:]
        for probe in probes {
            let owners = try owners(probe)
            guard owners.count <= mostOwners else { continue }
            for owner in owners { shared[owner, default: 0] += 1 }
        }
        let least = shared.values.contains { $0 >= leastShared } ? leastShared : 1
        return shared.filter { $0.value >= least }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .prefix(mostCompared).map(\.key)
    }
}
