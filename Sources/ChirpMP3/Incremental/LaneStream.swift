internal import ChirpAudio
internal import Synchronization

/// The frames that a lane has encoded so far. Its encoder adds them, and a staged file of the clip reads them on another thread.
final class LaneStream: Sendable {
    private struct Content: ~Copyable {
        var index = MP3FrameIndex()
        var spool: MP3Spool
    }

    let format: AudioFormat
    let settings: MP3Settings
    let facts: MP3EncoderFacts
    private let content: Mutex<Content>
    /// About so much is read at once.
    private static let piece = 65536

    /// - Parameter spoolFolder: for what does not fit in memory.
    init(format: AudioFormat, settings: MP3Settings, facts: MP3EncoderFacts, spoolFolder: String) {
        self.format = format
        self.settings = settings
        self.facts = facts
        content = Mutex(Content(spool: MP3Spool(folder: spoolFolder)))
    }

    /// What is known of the frames.
    var index: MP3FrameIndex { content.withLock { $0.index } }

    /// Where to cut, so that a PCM frame is the first one that is heard; nil when there is no such place, or not yet.
    func head(from frame: Int) -> MP3CutHead? {
        MP3CutHead(index, frame: frame, format: format, settings: settings, encoderDelay: facts.encoderDelay)
    }

    /// Which frames to keep for a part of the signal; nil when it cannot be cut like that.
    func cut(_ part: Range<Int>) -> MP3FrameCut? {
        MP3FrameCut(index, part: part, format: format, settings: settings, encoderDelay: facts.encoderDelay)
    }

    /// Takes the next bytes of the stream.
    func add(_ bytes: [UInt8]) throws(AudioError) {
        try content.withLock { (content) throws(AudioError) in
            content.index.add(bytes.span)
            try content.spool.add(bytes.span)
        }
    }

    /// Takes the frames that were still uncertain.
    func finish() { content.withLock { $0.index.finish() } }

    /// Where a frame begins, in bytes.
    func offset(of frame: Int) -> Int {
        content.withLock { $0.index.entries[..<frame].reduce(0) { $0 + Int($1.bytes) } }
    }

    /// Some frames, one after the other; none when there are no more.
    ///
    /// - Parameters:
    ///   - frames: reading may end earlier.
    ///   - offset: of the first.
    ///   - isWhole: read them all at once.
    func read(
        _ frames: Range<Int>, at offset: Int, isWhole: Bool = false
    ) throws(AudioError) -> (sizes: [Int], bytes: [UInt8]) {
        try content.withLock { (content) throws(AudioError) in
            var sizes: [Int] = []
            var count = 0
            for entry in content.index.entries[frames.clamped(to: 0..<content.index.entries.count)] {
                sizes.append(Int(entry.bytes))
                count += Int(entry.bytes)
                if count >= Self.piece, !isWhole { break }
            }
            return (sizes, try content.spool.read(count, at: offset))
        }
    }
}
