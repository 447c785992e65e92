internal import Glibc

/// Why two sounds are alike, with the figures of both, this one's first; a page words it.
package enum LikenessReason: Hashable, Sendable {
    /// Within 4 %, in beats a minute.
    case sameTempo(Double, Double)
    /// One is the double of the other, within 4 %.
    case doubleTempo(Double, Double)
    /// The same key, or one that shares most notes with it.
    case relatedKey(MusicalKey, MusicalKey, MusicalKey.Relation)
    /// As many sounds begin a second, within a fifth.
    case asDense(Double, Double)
    /// The mean frequency is the same within a quarter of an octave, in hertz.
    case asBright(Double, Double)

    /// All there are, tempo and key first; none when two are alike by something else only.
    package static func between(_ one: SoundFigures, _ other: SoundFigures) -> [LikenessReason] {
        [tempo(one, other), key(one, other), density(one, other), brightness(one, other)].compactMap { $0 }
    }

    private static func tempo(_ one: SoundFigures, _ other: SoundFigures) -> LikenessReason? {
        guard let own = one.tempi.first, let its = other.tempi.first, own > 0, its > 0 else { return nil }
        if abs(own / its - 1) <= 0.04 { return .sameTempo(own, its) }
        return [0.5, 2].contains { abs(own / its / $0 - 1) <= 0.04 } ? .doubleTempo(own, its) : nil
    }

    private static func key(_ one: SoundFigures, _ other: SoundFigures) -> LikenessReason? {
        guard let own = one.key, let its = other.key, let relation = own.relation(to: its) else { return nil }
        return .relatedKey(own, its, relation)
    }

    private static func density(_ one: SoundFigures, _ other: SoundFigures) -> LikenessReason? {
        guard one.density > 0, other.density > 0, abs(log(one.density / other.density)) <= log(1.2) else { return nil }
        return .asDense(one.density, other.density)
    }

    private static func brightness(_ one: SoundFigures, _ other: SoundFigures) -> LikenessReason? {
        guard one.brightness > 0, other.brightness > 0, abs(log2(one.brightness / other.brightness)) <= 0.25
        else { return nil }
        return .asBright(one.brightness, other.brightness)
    }
}
