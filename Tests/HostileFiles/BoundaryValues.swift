/// The numbers at which arithmetic breaks: ends of types and signs, and their neighbours.
enum BoundaryValues {
    private static let powers: [UInt64] = [7, 8, 15, 16, 20, 23, 24, 31, 32, 33, 36, 47, 48, 52, 53, 62, 63]
    private static let doubles: [Double] = [
        .nan, .infinity, -.infinity, 0, -0.0, -1, 1, 3999.999, 4000, 8000.5, 384_000, 384_000.001, 2_147_483_647,
        2_147_483_648,
        4_294_967_296, 9.3e18, 1e19, 1e300, .leastNonzeroMagnitude,
    ]

    /// - Parameters:
    ///   - current: what stood there.
    ///   - size: of the file; numbers are put against it too.
    static func pick(
        for field: HostileField, current: UInt64, size: Int, using random: inout HostileRandom
    ) -> UInt64 {
        if field.coding == .double, random.chance(80) { return doubles[random.below(doubles.count)].bitPattern }
        let largest = field.coding == .syncsafe ? (1 << (7 * UInt64(field.width))) - 1 : field.largest
        var value: UInt64
        switch random.below(10) {
        case 0: value = UInt64(random.below(4))
        case 1: value = largest &- UInt64(random.below(3))
        case 2: value = current &+ [1, .max, 2, .max - 1, current, 255][random.below(6)]
        case 3: value = UInt64(size) &+ [0, 1, .max, .max - 7, 8, current][random.below(6)]
        case 4: value = UInt64(random.below(300))
        // The ends of the type itself, signed and unsigned, and so much before or behind them as the file has bytes.
        case 5, 6:
            let end = random.chance(50) ? largest : largest / 2
            let distance = UInt64(random.below(random.chance(50) ? 4 : size + 1))
            value = random.chance(50) ? end &- distance : end &+ distance
        default:
            let most = 8 * field.width
            let fitting = powers.filter { $0 < UInt64(most) }
            value = fitting.isEmpty ? 1 : 1 << fitting[random.below(fitting.count)]
            value = value &+ [0, 1, .max, .max - 1, 2][random.below(5)]
            // Just so much beyond that adding what is there goes over the end of a type.
            if random.chance(15) { value = value &+ UInt64(random.below(size + 1)) }
            if random.chance(10) { value = 0 &- value }
        }
        return value & field.largest
    }
}
