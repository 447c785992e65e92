/// Random numbers that are the same for a seed and a case in every run and on every machine: SplitMix64 (Steele, Lea and Flood,
/// OOPSLA 2014).
struct HostileRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, index: Int) { state = seed ^ UInt64(truncatingIfNeeded: index) &* 0xD134_2543_DE82_EF95 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { next() % 100 < UInt64(percent) }

    /// 0..<count.
    mutating func below(_ count: Int) -> Int { count < 1 ? 0 : Int(next() % UInt64(count)) }
}
