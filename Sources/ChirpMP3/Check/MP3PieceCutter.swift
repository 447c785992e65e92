internal import ChirpAudio

/// Cuts an MP3 that is being made into pieces that can be measured by themselves.
///
/// Where it cuts depends on nothing but the clip, so that any number of threads finds the same.
struct MP3PieceCutter: Sendable {
    private let format: AudioFormat
    /// Decoded PCM frames before the clip.
    private let delay: Int
    /// PCM frames of an MP3 frame.
    private let frameLength: Int
    /// Units of 100 ms in a piece.
    private let tenths: Int
    /// The frames that the next piece may need: all bytes, and for each its bytes and those of its main data.
    private var bytes: [UInt8] = []
    private var sizes: [(bytes: Int, area: Int)] = []
    /// The number of the first of them.
    private var first = 0
    /// The number of the next piece.
    private var next = 0

    /// The farthest that main data can lie before its frame, in bytes.
    private static let reservoir = 511
    /// What every decoder is late by, in PCM frames.
    private static let decoderDelay = 529

    /// - Parameters:
    ///   - encoderDelay: in PCM frames.
    ///   - expectedFrames: the length of the clip when known: short clips get short pieces, so that there is some for every
    ///     thread.
    init(format: AudioFormat, encoderDelay: Int, expectedFrames: Int?) {
        self.format = format
        delay = encoderDelay + Self.decoderDelay
        frameLength = MP3FrameHeader.frames(at: format.sampleRate)
        // Before each piece some frames are decoded twice: a tenth of the work for a second, a fiftieth for five.
        tenths = min(50, max(20, (expectedFrames ?? .max) / format.sampleRate * 10 / 8))
    }

    /// Takes the next audio frame.
    ///
    /// - Returns: a piece, when this frame was the last that it needed.
    mutating func add(_ header: MP3FrameHeader, _ frame: borrowing Span<UInt8>) -> MP3Piece? {
        frame.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        sizes.append((frame.count, frame.count - header.mainDataOffset))
        let end = start(ofPiece: next + 1)
        guard first + sizes.count >= mp3Frames(upTo: end + TruePeakMeter.reach) else { return nil }
        return cut(to: end, hasMore: true)
    }

    /// The stream has ended and holds so many PCM frames: the pieces that are left.
    mutating func finish(frames: Int) -> [MP3Piece] {
        var pieces: [MP3Piece] = []
        while start(ofPiece: next) < frames {
            let end = start(ofPiece: next + 1)
            pieces.append(cut(to: min(end, frames), hasMore: end < frames))
        }
        return pieces
    }

    /// In PCM frames of the clip.
    private func start(ofPiece number: Int) -> Int {
        LevelWindows.frame(ofWindow: 10 * tenths * number, sampleRate: format.sampleRate)
    }

    /// MP3 frames from the beginning on that hold the clip up to a PCM frame.
    private func mp3Frames(upTo end: Int) -> Int { (delay + end + frameLength - 1) / frameLength }

    private mutating func cut(to end: Int, hasMore: Bool) -> MP3Piece {
        let start = start(ofPiece: next)
        let from = firstFrame(for: start)
        // A decoder believes a first frame only when it sees a second.
        let needed = max(from + 2, mp3Frames(upTo: hasMore ? end + TruePeakMeter.reach : end))
        let to = min(first + sizes.count, needed)
        let lead = sizes[..<(from - first)].reduce(0) { $0 + $1.bytes }
        let count = sizes[(from - first)..<(to - first)].reduce(0) { $0 + $1.bytes }
        let piece = MP3Piece(
            number: next, bytes: Array(bytes[lead..<lead + count]), mp3Frames: to - from,
            origin: from * frameLength - delay, range: start..<end, hasMore: hasMore,
            firstTenth: tenths * next)
        next += 1
        forget(before: firstFrame(for: end))
        return piece
    }

    /// The frame at which to begin to decode for a piece: before what the filters need one frame for the decoder's own
    /// memory, and what the bit reservoir may reach back.
    private func firstFrame(for start: Int) -> Int {
        let needed = delay + start - MP3Piece.settling(format.sampleRate)
        var frame = max(first, min(needed / frameLength - 1, first + sizes.count))
        var area = 0
        while frame > first, area < Self.reservoir {
            frame -= 1
            area += sizes[frame - first].area
        }
        return frame
    }

    private mutating func forget(before frame: Int) {
        let count = frame - first
        bytes.removeFirst(sizes[..<count].reduce(0) { $0 + $1.bytes })
        sizes.removeFirst(count)
        first = frame
    }
}
