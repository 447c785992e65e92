public import ChirpAudio

/// The outline of a signal of unknown length for a picture: lowest and highest sample of equal stretches of time, in bounded
/// memory. When the stretches become too many, neighbours are joined.
public struct Waveform: ~Copyable {
    /// A stretch, all channels together, full scale ±1.
    public struct Extent: Hashable, Sendable {
        public var lowest: Float
        public var highest: Float

        mutating func join(_ other: Extent) {
            if other.lowest < lowest { lowest = other.lowest }
            if other.highest > highest { highest = other.highest }
        }
    }

    private static let most = 4096
    /// Complete stretches of ``framesPerExtent``, then the one that is being filled.
    private var extents: [Extent] = []
    private var framesPerExtent = 64
    private var framesInLast = 0
    private var frames = 0

    public init() {}

    public mutating func add(_ block: borrowing AudioBlock) {
        var position = 0
        while position < block.frames {
            if framesInLast == 0 { extents.append(Extent(lowest: .infinity, highest: -.infinity)) }
            let end = min(block.frames, position + framesPerExtent - framesInLast)
            for channel in 0..<block.format.channels {
                let extent = block.withPlane(channel) { extremes(of: $0, position..<end) }
                extents[extents.count - 1].join(extent)
            }
            framesInLast += end - position
            position = end
            if framesInLast == framesPerExtent { close() }
        }
        frames += block.frames
    }

    /// The outline in so many columns of equal time; empty for an empty signal.
    public func columns(_ count: Int) -> [Extent] {
        precondition(count > 0)
        guard frames > 0 else { return [] }
        return (0..<count).map { column in
            let first = min(extents.count - 1, column * frames / count / framesPerExtent)
            let last = min(extents.count, max(first + 1, (column + 1) * frames / count / framesPerExtent))
            return extents[(first + 1)..<max(first + 1, last)].reduce(into: extents[first]) { $0.join($1) }
        }
    }

    private mutating func close() {
        framesInLast = 0
        guard extents.count == Self.most else { return }
        for index in 0..<(Self.most / 2) {
            extents[index] = extents[2 * index]
            extents[index].join(extents[2 * index + 1])
        }
        extents.removeLast(Self.most / 2)
        framesPerExtent *= 2
    }
}

private func extremes(of samples: borrowing Span<Float>, _ range: Range<Int>) -> Waveform.Extent {
    var lowest = Float.infinity
    var highest = -Float.infinity
    for index in range {
        let sample = samples[index]
        if sample < lowest { lowest = sample }
        if sample > highest { highest = sample }
    }
    return Waveform.Extent(lowest: lowest, highest: highest)
}
