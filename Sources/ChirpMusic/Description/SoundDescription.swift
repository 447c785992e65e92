/// What a sound is like, in 64 numbers: near ones sound alike.
///
/// Of no unit; only their distances count, after each has been brought to the same scale (``DescriptionStatistics``).
package struct SoundDescription: Hashable, Sendable {
    /// What some of the numbers speak of.
    package enum Part: CaseIterable, Sendable {
        case timbre, rhythm, chroma, dynamics, tempoAndKey

        package var range: Range<Int> {
            switch self {
            case .timbre: 0..<27
            case .rhythm: 27..<46
            case .chroma: 46..<52
            case .dynamics: 52..<58
            case .tempoAndKey: 58..<64
            }
        }
    }

    package static let count = 64

    /// Finite, `count` of them.
    package let numbers: [Float]

    /// Nil unless there are as many as needed, all finite and below a million.
    package init?(_ numbers: [Float]) {
        guard numbers.count == Self.count, numbers.allSatisfy({ abs($0) < 1e6 }) else { return nil }
        self.numbers = numbers
    }
}

/// Why bytes are no description.
package enum SoundDescriptionError: Error, Hashable, Sendable {
    /// There must be ``SoundDescription/byteCount``.
    case length(Int)
    /// Made by other rules, so that it can be compared with none of ours: the sound has to be analysed again.
    case version(Int)
    /// A number that is none, or far from what there can be.
    case number(at: Int)
}

extension SoundDescription {
    /// Of the rules by which the numbers are made; grows when they change.
    package static let version = 1
    /// Of the form in which they are kept.
    package static let byteCount = 4 + 4 * count

    /// The version and the count as numbers of 16 bits, then the numbers as IEEE 754 floats of 32 bits, all with the lowest byte first.
    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(Self.byteCount)
        func append(_ value: UInt32, bytes: Int) {
            for index in 0..<bytes { result.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * index))) }
        }
        append(UInt32(Self.version), bytes: 2)
        append(UInt32(Self.count), bytes: 2)
        for number in numbers { append(number.bitPattern, bytes: 4) }
        return result
    }

    package init(bytes: some Collection<UInt8>) throws(SoundDescriptionError) {
        let bytes = Array(bytes)
        guard bytes.count >= 4 else { throw .length(bytes.count) }
        func number(at place: Int, bytes count: Int) -> UInt32 {
            (0..<count).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
        }
        let version = Int(number(at: 0, bytes: 2))
        guard version == Self.version else { throw .version(version) }
        guard bytes.count == Self.byteCount, number(at: 2, bytes: 2) == Self.count else { throw .length(bytes.count) }
        let numbers = (0..<Self.count).map { Float(bitPattern: number(at: 4 + 4 * $0, bytes: 4)) }
        if let wrong = numbers.firstIndex(where: { !(abs($0) < 1e6) }) { throw .number(at: wrong) }
        self.numbers = numbers
    }
}

extension SoundDescription: Codable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(numbers)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let description = SoundDescription(try container.decode([Float].self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not \(Self.count) finite numbers")
        }
        self = description
    }
}
