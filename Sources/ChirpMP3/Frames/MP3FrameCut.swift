internal import ChirpAudio

/// Which frames of a stream are needed for a part of its signal. Whole frames go at both ends; delay and padding of the
/// info tag tell decoders what of the rest not to play, to the sample.
///
/// At the end nothing refers to what is dropped; for the start see ``MP3CutHead``.
struct MP3FrameCut: Hashable, Sendable {
    let head: MP3CutHead
    /// The frames that stay.
    let frames: Range<Int>
    /// The PCM frame behind the last that is heard.
    let end: Int
    /// PCM frames behind the signal.
    let padding: Int

    /// - Parameters:
    ///   - part: the PCM frames to keep.
    ///   - encoderDelay: of the whole stream.
    /// - Returns: nil when no such cut exists.
    init?(_ index: MP3FrameIndex, part: Range<Int>, format: AudioFormat, settings: MP3Settings, encoderDelay: Int) {
        let head = MP3CutHead(
            index, frame: part.lowerBound, format: format, settings: settings, encoderDelay: encoderDelay)
        guard let head else { return nil }
        let count = part.upperBound - head.start
        padding = MP3Encoder.padding(frames: count, format: format, delay: head.delay)
        let length = MP3FrameHeader.frames(at: format.sampleRate)
        frames = head.first..<head.first - head.lead.count + (count + head.delay + padding) / length
        guard frames.upperBound <= index.entries.count else { return nil }
        self.head = head
        end = part.upperBound
    }
}
