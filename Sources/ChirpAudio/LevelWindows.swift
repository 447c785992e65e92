/// The course of a recording in steps of 10 ms, in bounded memory: four bytes each, and nothing for digital silence.
public struct LevelWindows: Hashable, Sendable {
    /// LevelWindows per second.
    public static let rate = 100

    private static let chunk = 4096  // 41 s
    /// Full chunks; an empty one stands for a chunk of digital silence.
    private var chunks: [[LevelWindow]] = []
    private var open: [LevelWindow] = []
    private var openIsSilent = true

    public init() {}

    public init(_ windows: some Sequence<LevelWindow>) {
        self.init()
        for window in windows { append(window) }
    }

    public var count: Int { chunks.count * Self.chunk + open.count }

    public mutating func append(_ window: LevelWindow) {
        open.append(window)
        if window != .silence { openIsSilent = false }
        guard open.count == Self.chunk else { return }
        chunks.append(openIsSilent ? [] : open)
        open.removeAll(keepingCapacity: true)
        openIsSilent = true
    }

    /// - Parameter index: 0..<count.
    public subscript(index: Int) -> LevelWindow {
        let (chunk, offset) = index.quotientAndRemainder(dividingBy: Self.chunk)
        guard chunk < chunks.count else { return open[offset] }
        return chunks[chunk].isEmpty ? .silence : chunks[chunk][offset]
    }

    /// The frame at which a window begins: exactly 10 ms apart on average at any sample rate.
    public static func frame(ofWindow index: Int, sampleRate: Int) -> Int { index * sampleRate / rate }

    /// The window in which a frame lies.
    public static func window(atFrame frame: Int, sampleRate: Int) -> Int {
        // The largest index whose first frame is not beyond it.
        var index = frame * rate / sampleRate
        while self.frame(ofWindow: index + 1, sampleRate: sampleRate) <= frame { index += 1 }
        return index
    }
}
