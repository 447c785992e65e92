/// The course of a recording in steps of 10 ms, in bounded memory: four bytes each, and nothing for digital silence.
public struct Moments: Hashable, Sendable {
    /// Moments per second.
    public static let rate = 100

    private static let chunk = 4096  // 41 s
    /// Full chunks; an empty one stands for a chunk of digital silence.
    private var chunks: [[Moment]] = []
    private var open: [Moment] = []
    private var openIsSilent = true

    public init() {}

    public init(_ moments: some Sequence<Moment>) {
        self.init()
        for moment in moments { append(moment) }
    }

    public var count: Int { chunks.count * Self.chunk + open.count }

    public mutating func append(_ moment: Moment) {
        open.append(moment)
        if moment != .silence { openIsSilent = false }
        guard open.count == Self.chunk else { return }
        chunks.append(openIsSilent ? [] : open)
        open.removeAll(keepingCapacity: true)
        openIsSilent = true
    }

    /// - Parameter index: 0..<count.
    public subscript(index: Int) -> Moment {
        let (chunk, offset) = index.quotientAndRemainder(dividingBy: Self.chunk)
        guard chunk < chunks.count else { return open[offset] }
        return chunks[chunk].isEmpty ? .silence : chunks[chunk][offset]
    }

    /// The frame at which a moment begins: exactly 10 ms apart on average at any sample rate.
    public static func frame(ofMoment index: Int, sampleRate: Int) -> Int { index * sampleRate / rate }

    /// The moment in which a frame lies.
    public static func moment(atFrame frame: Int, sampleRate: Int) -> Int {
        // The largest index whose first frame is not beyond it.
        var index = frame * rate / sampleRate
        while self.frame(ofMoment: index + 1, sampleRate: sampleRate) <= frame { index += 1 }
        return index
    }
}
