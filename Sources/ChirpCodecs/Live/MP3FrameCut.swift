internal import ChirpAudio

/// Which frames of a stream are needed for a part of its signal. Whole frames go at both ends; delay and padding of the
/// info tag tell decoders what of the rest not to play, to the sample.
///
/// At the end nothing refers to what is dropped. At the start, frames refer to main data in those before them (the bit
/// reservoir): silent frames take their place, which hold just those bytes, and which the delay covers.
struct MP3FrameCut: Hashable, Sendable {
    /// The frames that stay.
    let frames: Range<Int>
    /// Where the (empty) main data of the silent frames in front begins: so that decoders keep what the next one needs.
    let lead: [Int]
    /// Of each of the silent frames.
    let leadHeader: MP3FrameHeader?
    /// The first PCM frame that is heard: the wanted one, or less than an MP3 frame earlier.
    let start: Int
    /// PCM frames before and behind the signal.
    let delay: Int
    let padding: Int

    /// What a decoder adds to the delay.
    static let decoderDelay = 529
    /// The farthest that main data can lie before its frame, in bytes.
    static let farthest = 511
    /// The delay has 12 bits.
    private static let longestDelay = 4095
    /// PCM frames from the start of the first frame with sound to the first sample that is right: a granule, whose
    /// predecessor is missing, and the memory of the filter bank.
    private static let settling = 576 + 512

    /// - Parameters:
    ///   - part: the PCM frames to keep.
    ///   - encoderDelay: of the whole stream.
    /// - Returns: nil when no such cut exists: too many silent frames would be needed.
    init?(_ index: MP3FrameIndex, part: Range<Int>, format: AudioFormat, settings: MP3Settings, encoderDelay: Int) {
        let length = format.sampleRate >= 32000 ? 1152 : 576
        let first = max(0, part.lowerBound + encoderDelay + Self.decoderDelay - Self.settling) / length
        guard first < index.entries.count, let header = index.header else { return nil }
        var lead: [Int] = []
        if first > 0 {
            let needed = Int(index.entries[first].mainDataBegin)
            guard let (header, count) = Self.lead(holding: needed, header, settings) else { return nil }
            let area = header.byteCount - header.mainDataOffset
            lead = (0..<count).map { max(0, needed - (count - $0) * area) }
            leadHeader = header
        } else {
            leadHeader = nil
        }
        // Silent frames that the delay cannot cover otherwise.
        let silence = encoderDelay - (first - lead.count) * length
        start = min(part.lowerBound, Self.longestDelay - silence)
        delay = silence + start
        let isSettled = start + encoderDelay + Self.decoderDelay - Self.settling >= first * length
        guard first == 0 || isSettled else { return nil }
        let count = part.upperBound - start
        padding = MP3Encoder.padding(frames: count, format: format, delay: delay)
        self.lead = lead
        frames = first..<first - lead.count + (count + delay + padding) / length
        guard frames.upperBound <= index.entries.count else { return nil }
    }

    /// The header and number of silent frames that hold so many bytes: at a constant rate several of that rate,
    /// otherwise one that is large enough.
    private static func lead(
        holding bytes: Int, _ header: MP3FrameHeader, _ settings: MP3Settings
    ) -> (MP3FrameHeader, count: Int)? {
        let rates: [Int]
        if case .constant(let kbps) = settings.rate {
            rates = [kbps]
        } else {
            rates = MP3Settings.constantRates(at: header.sampleRate)
        }
        let headers = rates.compactMap { header.with(kbps: $0) }
        func area(_ header: MP3FrameHeader) -> Int { header.byteCount - header.mainDataOffset }
        guard let header = headers.first(where: { area($0) >= bytes }) ?? headers.last else { return nil }
        return (header, (bytes + area(header) - 1) / area(header))
    }

    /// The silent frames.
    ///
    /// - Parameter mainData: what lies before the area of the first frame that stays: its last bytes are needed.
    func leadBytes(_ mainData: some BidirectionalCollection<UInt8>) -> [UInt8] {
        guard let header = leadHeader else { return [] }
        let area = header.byteCount - header.mainDataOffset
        let kept = Array(mainData.suffix(lead.count * area))
        let content = [UInt8](repeating: 0, count: lead.count * area - kept.count) + kept
        var bytes: [UInt8] = []
        for (number, begin) in lead.enumerated() {
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: header.word >> UInt32(shift))) }
            // No bits of main data, no gains.
            var side = [UInt8](repeating: 0, count: header.sideInformationBytes)
            side[0] = UInt8(header.version == .mpeg1 ? begin >> 1 : begin)
            if header.version == .mpeg1 { side[1] = UInt8(begin & 1) << 7 }
            bytes += side
            bytes += content[number * area..<(number + 1) * area]
        }
        return bytes
    }
}
