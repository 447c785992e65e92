internal import ChirpAudio

/// Where a stream begins that is cut at its start. Known before the end is.
///
/// Frames refer to main data in those before them (the bit reservoir): silent frames take their place, which hold just
/// those bytes, and which the delay covers.
struct MP3CutHead: Hashable, Sendable {
    /// The first frame that stays.
    let first: Int
    /// Where the (empty) main data of the silent frames in front begins: so that decoders keep what the next one needs.
    let lead: [Int]
    /// Of each of the silent frames.
    let leadHeader: MP3FrameHeader?
    /// The first PCM frame that is heard: the wanted one, or less than an MP3 frame earlier.
    let start: Int
    /// PCM frames before the signal.
    let delay: Int

    /// What a decoder adds to the delay.
    static let decoderDelay = 529
    /// Enough frames to fill the bit reservoir, however small they are.
    static let reach = 64
    /// The delay has 12 bits.
    private static let longestDelay = 4095
    /// PCM frames from the start of the first frame with sound to the first sample that is right: a granule, whose
    /// predecessor is missing, and the memory of the filter bank.
    private static let settling = 576 + 512

    /// - Parameters:
    ///   - index: holds the first frame that stays, or more.
    ///   - frame: the first PCM frame to keep.
    ///   - encoderDelay: of the whole stream.
    /// - Returns: nil when no such cut exists: too many silent frames would be needed.
    init?(_ index: MP3FrameIndex, frame: Int, format: AudioFormat, settings: MP3Settings, encoderDelay: Int) {
        let length = MP3FrameHeader.frames(at: format.sampleRate)
        let first = max(0, frame + encoderDelay + Self.decoderDelay - Self.settling) / length
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
        start = min(frame, Self.longestDelay - silence)
        delay = silence + start
        let isSettled = start + encoderDelay + Self.decoderDelay - Self.settling >= first * length
        guard first == 0 || isSettled else { return nil }
        self.first = first
        self.lead = lead
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
