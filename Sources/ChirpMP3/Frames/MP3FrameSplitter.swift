/// Takes an encoder's bare stream apart into the content of its frames.
///
/// Main data lies before, in and behind the frame it belongs to (ISO 11172-3 2.4.2.7, `main_data_begin`), so a frame's
/// content is complete some frames later than its header. Only for streams of LAME; strangers' go to `MP3FrameStream`.
struct MP3FrameSplitter: Sendable {
    /// Bytes of the stream that are not looked at yet.
    private var input: [UInt8] = []
    /// The areas of all frames one after the other, without what is no longer needed.
    private var main: [UInt8] = []
    /// Where `main` begins.
    private var mainBase = 0
    /// Bytes of the current frame's area that are still to come.
    private var areaLeft = 0
    /// Frames whose main data is not complete, and where that begins.
    private var waiting: [(content: MP3FrameContent, begin: Int)] = []

    /// The farthest that main data can lie before its frame, in bytes.
    private static let farthest = 511

    /// Takes the next bytes and appends the frames that became complete.
    ///
    /// - Returns: false when the bytes are no such stream.
    mutating func add(_ bytes: borrowing Span<UInt8>, to contents: inout [MP3FrameContent]) -> Bool {
        bytes.withUnsafeBufferPointer { input.append(contentsOf: $0) }
        var position = 0
        while position < input.count {
            if areaLeft > 0 {
                let count = min(areaLeft, input.count - position)
                main.append(contentsOf: input[position..<position + count])
                areaLeft -= count
                position += count
                continue
            }
            guard input.count - position >= 4 else { break }
            guard let header = MP3FrameHeader(input.span, at: position), !header.isProtected else { return false }
            guard input.count - position >= header.mainDataOffset else { break }
            waiting.append(Self.opened(header, at: position, of: input.span, areaStart: mainBase + main.count))
            areaLeft = header.byteCount - header.mainDataOffset
            position += header.mainDataOffset
        }
        input.removeSubrange(..<position)
        return complete(&contents)
    }

    private mutating func complete(_ contents: inout [MP3FrameContent]) -> Bool {
        var done = 0
        while done < waiting.count {
            let begin = waiting[done].begin - mainBase
            let used = waiting[done].content.usedBits
            guard begin >= 0 else { return false }
            guard begin + (used + 7) / 8 <= main.count else { break }
            var content = waiting[done].content
            content.main = Array(main[begin..<begin + (used + 7) / 8])
            if used % 8 != 0 { content.main[used / 8] &= 0xFF << UInt8(8 - used % 8) }
            contents.append(content)
            done += 1
        }
        waiting.removeSubrange(..<done)
        let needed = waiting.first.map { $0.begin - mainBase } ?? main.count
        let spare = min(needed, main.count) - Self.farthest
        if spare > 8192 {
            main.removeSubrange(..<spare)
            mainBase += spare
        }
        return true
    }

    private static func opened(
        _ header: MP3FrameHeader, at position: Int, of input: borrowing Span<UInt8>, areaStart: Int
    ) -> (MP3FrameContent, Int) {
        var side = SIMD32<UInt8>(repeating: 0)
        for index in 0..<header.sideInformationBytes { side[index] = input[position + 4 + index] }
        let begin: Int
        if header.version == .mpeg1 {
            begin = Int(side[0]) << 1 | Int(side[1] >> 7)
            side[1] &= 0x7F
        } else {
            begin = Int(side[0])
        }
        side[0] = 0
        let content = MP3FrameContent(
            header: header.word & ~0xF200, side: side, usedBits: usedBits(header, side), main: [],
            mainDataBegin: begin, rateIndex: Int(header.word >> 12 & 15))
        return (content, areaStart - begin)
    }

    /// The sum of `part2_3_length` over granules and channels.
    private static func usedBits(_ header: MP3FrameHeader, _ side: SIMD32<UInt8>) -> Int {
        let isMPEG1 = header.version == .mpeg1
        // Behind main_data_begin, private bits and (MPEG-1) the scale factor selection.
        var offset = isMPEG1 ? (header.channels == 1 ? 18 : 20) : (header.channels == 1 ? 9 : 10)
        var sum = 0
        for _ in 0..<header.granules * header.channels {
            let word = (0..<3).reduce(0) { $0 << 8 | Int(side[offset / 8 + $1]) }
            sum += word >> (12 - offset % 8) & 0xFFF
            offset += isMPEG1 ? 59 : 63
        }
        return sum
    }
}
