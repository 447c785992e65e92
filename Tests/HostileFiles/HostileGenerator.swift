/// Makes hostile files of all kinds that are read: the same file for the same seed and number, always.
///
/// It knows where the numbers are. It puts boundary values into them, changes the order of chunks, pages and frames, leaves some
/// out and doubles others, makes checksums right again most of the time, and cuts files off.
public struct HostileGenerator: Sendable {
    public let recipes: [HostileRecipe]

    /// - Parameter seeds: files of kinds that are not built here, and their names: rare formats, coded audio, JPEG.
    public init(seeds: [(name: String, bytes: [UInt8])] = []) {
        recipes =
            HostileRecipe.wavs + HostileRecipe.otherChunks + HostileRecipe.flacs + HostileRecipe.oggs
            + HostileRecipe.mpegs
            + HostileRecipe.pictures + seeds.map { HostileRecipe(seed: $0.bytes, name: $0.name) }
    }

    /// - Parameters:
    ///   - seed: of the run.
    ///   - index: of the case, 0 or more; neighbours are of different kinds.
    public func makeCase(seed: UInt64, index: Int) -> HostileCase {
        var random = HostileRandom(seed: seed, index: index)
        let recipe = recipes[index % recipes.count]
        var changes: [String] = []
        var parts = [recipe.head] + reordered(recipe.parts, using: &random, changes: &changes) + [recipe.tail]
        let size = parts.reduce(0) { $0 + $1.bytes.count }
        for _ in 0..<[0, 1, 1, 1, 1, 1, 2, 2, 3, 6][random.below(10)] {
            changes += Self.poke(&parts, size: size, using: &random)
        }
        if random.chance(8) { changes += Self.cut(&parts, using: &random) }
        let seals = random.chance(80)
        var bytes: [UInt8] = []
        for part in parts {
            var own = part.bytes
            if seals { part.seal?(&own) }
            bytes += own
        }
        Self.damage(&bytes, using: &random, changes: &changes)
        return HostileCase(recipe: recipe.name, bytes: bytes, changes: changes)
    }

    private func reordered(
        _ parts: [HostilePart], using random: inout HostileRandom, changes: inout [String]
    ) -> [HostilePart] {
        var parts = parts
        if parts.count > 1, random.chance(30) {
            parts.shuffle(using: &random)
            changes.append("order")
        }
        if !parts.isEmpty, random.chance(8) {
            parts.remove(at: random.below(parts.count))
            changes.append("left out")
        }
        if !parts.isEmpty, random.chance(8) {
            parts.insert(parts[random.below(parts.count)], at: random.below(parts.count))
            changes.append("doubled")
        }
        if random.chance(4) {
            let other = recipes[random.below(recipes.count)]
            if let strange = other.parts.randomElement(using: &random) {
                parts.insert(strange, at: random.below(parts.count + 1))
                changes.append("a part of \(other.name)")
            }
        }
        return parts
    }

    private static func poke(
        _ parts: inout [HostilePart], size: Int, using random: inout HostileRandom
    ) -> [String] {
        let candidates = parts.indices.filter { !parts[$0].fields.isEmpty }
        guard !candidates.isEmpty else { return [] }
        // Of three the widest, mostly: wide numbers are sizes, and there is most room for surprises.
        var (index, field) = pick(from: parts, candidates, using: &random)
        for _ in 0..<(random.chance(67) ? 2 : 0) {
            let other = pick(from: parts, candidates, using: &random)
            if other.field.width > field.width { (index, field) = other }
        }
        let current = field.read(from: parts[index].bytes)
        let value = BoundaryValues.pick(for: field, current: current, size: size, using: &random)
        parts[index].set(field, to: value)
        return ["\(field.name) = \(value)"]
    }

    private static func pick(
        from parts: [HostilePart], _ candidates: [Int], using random: inout HostileRandom
    ) -> (index: Int, field: HostileField) {
        let index = candidates[random.below(candidates.count)]
        return (index, parts[index].fields[random.below(parts[index].fields.count)])
    }

    /// Makes a part shorter than it says.
    private static func cut(_ parts: inout [HostilePart], using random: inout HostileRandom) -> [String] {
        let index = random.below(parts.count)
        let count = random.below(parts[index].bytes.count + 1)
        parts[index].change { $0.removeLast($0.count - count) }
        return ["part \(index) cut to \(count)"]
    }

    private static func damage(
        _ bytes: inout [UInt8], using random: inout HostileRandom, changes: inout [String]
    ) {
        if random.chance(8) {
            bytes.removeLast(random.below(bytes.count + 1))
            changes.append("file cut to \(bytes.count)")
        }
        if random.chance(4) {
            let junk = (0..<random.below(200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            bytes += junk
            changes.append("\(junk.count) bytes more")
        }
        if !bytes.isEmpty, random.chance(8) {
            for _ in 0...random.below(4) {
                let place = random.below(random.chance(50) ? min(128, bytes.count) : bytes.count)
                bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
            changes.append("random bytes")
        }
        if random.chance(3) {
            bytes = HostilePart.id3(version: 4).bytes + bytes
            changes.append("behind an ID3 tag")
        }
    }
}
