/// Finds which of very many prints may be of the same recording, without comparing them: by keys that they share.
///
/// A value in memory, eight bytes for each key: 150 MB for 100,000 tracks of three minutes. A table with the same rows does the same (``PrintKey``).
package struct PrintIndex: Sendable {
    /// Ascending by key.
    private var keys: [UInt32] = []
    private var owners: [UInt32] = []

    /// A key that more prints have than these says nothing about any of them: a drum loop that half the world uses.
    private static let mostOwners = 1000
    /// Fewer shared keys are chance, unless there are hardly any to share.
    package static let leastShared = 2

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

    /// The numbers of prints that are worth comparing, the most alike first.
    ///
    /// - Parameters:
    ///   - probes: of a ``RecordingTrace``.
    ///   - most: of candidates.
    package func candidates(_ probes: [UInt32], most: Int = 20) -> [Int] {
        var shared: [UInt32: Int] = [:]
        for probe in probes {
            let first = firstIndex(from: probe)
            var end = first
            while end < keys.count, keys[end] == probe, end - first <= Self.mostOwners { end += 1 }
            guard end - first <= Self.mostOwners else { continue }
            for row in first..<end { shared[owners[row], default: 0] += 1 }
        }
        let least = shared.values.contains { $0 >= Self.leastShared } ? Self.leastShared : 1
        return shared.filter { $0.value >= least }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(most)
            .map { Int($0.key) }
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
