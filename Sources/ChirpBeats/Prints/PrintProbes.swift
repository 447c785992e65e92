/// What a table of keys is asked for, to be compared with very many keys one after another.
struct PrintProbes: Sendable {
    private let probes: [UInt32]
    /// A bit for each place that a probe has: of a thousand keys that are none of 2,900 probes, 956 are told by it alone.
    private var marks = [UInt64](repeating: 0, count: 1 << 10)

    init(_ probes: [UInt32]) {
        self.probes = Set(probes).sorted()
        for probe in self.probes { marks[Self.place(probe) >> 6] |= 1 << UInt64(Self.place(probe) & 63) }
    }

    func contains(_ key: UInt32) -> Bool {
        let place = Self.place(key)
        guard marks[place >> 6] >> UInt64(place & 63) & 1 == 1 else { return false }
        var (low, high) = (0, probes.count)
        while low < high {
            let middle = (low + high) / 2
            if probes[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < probes.count && probes[low] == key
    }

    /// 0 to 65,535, and alike for all keys: the highest bits of this product chose them.
    private static func place(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) >> 13 & 0xFFFF) }
}
