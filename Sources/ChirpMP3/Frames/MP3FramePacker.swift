package import ChirpAudio

/// Puts the content of frames into a stream, byte for byte as LAME 3.100 does when it encodes in one go.
struct MP3FramePacker: Sendable {
    private var reservoir: MP3Reservoir
    /// Header and side information of frames whose area is not full yet, and the size of that area.
    private var openFrames: [(head: [UInt8], area: Int)] = []
    /// Main data and stuffing for those areas.
    private var main: [UInt8] = []
    /// Bits that are free in the last byte of `main`.
    private var freeBits = 0
    /// LAME stuffs with alternating bits, and remembers over frames which comes next.
    private var nextBit: UInt8 = 0
    private let sideBytes: Int
    private let isMPEG1: Bool
    /// LAME writes its name and version first into stuffing that has room.
    private let version: [UInt8]

    init(format: AudioFormat, settings: MP3Settings, version: String) {
        reservoir = MP3Reservoir(format: format, settings: settings)
        isMPEG1 = format.sampleRate >= 32000
        sideBytes = isMPEG1 ? (format.channels == 1 ? 17 : 32) : (format.channels == 1 ? 9 : 17)
        self.version = Array(version.utf8)
    }

    /// Adds a frame and appends the bytes that became certain.
    ///
    /// - Returns: false when the frame would not be what LAME makes: its content might depend on what was saved before
    ///   it, or it has no room. The packer is then of no more use.
    mutating func add(_ content: MP3FrameContent, to bytes: inout [UInt8]) -> Bool {
        if content.reservoir != reservoir.bits {
            guard !reservoir.isNearLimit(usedBits: content.usedBits) else { return false }
            if content.silence == .either {
                var (loud, silent) = (reservoir, reservoir)
                let same =
                    loud.place(usedBits: content.usedBits, isSilent: false)
                    == silent.place(usedBits: content.usedBits, isSilent: true)
                guard same else { return false }
            }
        }
        guard let place = reservoir.place(usedBits: content.usedBits, isSilent: content.silence == .yes) else {
            return false
        }
        drain(place.drainBefore)
        let header = content.header | UInt32(place.rateIndex) << 12 | (place.isPadded ? 1 << 9 : 0)
        var head = (0..<4).map { UInt8(truncatingIfNeeded: header >> (8 * (3 - $0))) }
        for index in 0..<sideBytes { head.append(content.side[index]) }
        if isMPEG1 {
            head[4] = UInt8(place.mainDataBegin >> 1)
            head[5] |= UInt8(place.mainDataBegin & 1) << 7
        } else {
            head[4] = UInt8(place.mainDataBegin)
        }
        openFrames.append((head, place.frameBytes - head.count))
        main.append(contentsOf: content.main)  // frames begin at whole bytes
        freeBits = (8 - content.usedBits % 8) % 8
        drain(place.drainAfter)
        emit(&bytes)
        return true
    }

    /// Fills the last frames with stuffing and appends them.
    mutating func finish(to bytes: inout [UInt8]) {
        drain(reservoir.bits)
        emit(&bytes)
    }

    private mutating func emit(_ bytes: inout [UInt8]) {
        let whole = freeBits == 0 ? main.count : main.count - 1
        var frames = 0
        var used = 0
        while frames < openFrames.count, used + openFrames[frames].area <= whole {
            bytes.append(contentsOf: openFrames[frames].head)
            bytes.append(contentsOf: main[used..<used + openFrames[frames].area])
            used += openFrames[frames].area
            frames += 1
        }
        openFrames.removeSubrange(..<frames)
        main.removeSubrange(..<used)
    }

    /// Stuffs so many bits, in LAME's way.
    private mutating func drain(_ count: Int) {
        var left = count
        for byte in "LAME".utf8 where left >= 8 {
            put(byte)
            left -= 8
        }
        if left >= 32 {
            for byte in version where left >= 8 {
                put(byte)
                left -= 8
            }
        }
        while left >= 8 {
            put(nextBit == 0 ? 0x55 : 0xAA)
            left -= 8
        }
        while left > 0 {
            if freeBits == 0 {
                main.append(0)
                freeBits = 8
            }
            freeBits -= 1
            main[main.count - 1] |= nextBit << UInt8(freeBits)
            nextBit ^= 1
            left -= 1
        }
    }

    /// Eight bits, wherever the last byte ends.
    private mutating func put(_ byte: UInt8) {
        if freeBits > 0 { main[main.count - 1] |= byte >> UInt8(8 - freeBits) }
        main.append(freeBits == 0 ? byte : byte << UInt8(freeBits))
    }
}

/// Takes an encoder's stream apart and puts it together again: the identity, when ``MP3Reservoir`` knows LAME's rules.
/// For tests.
///
/// - Returns: nil when LAME did something unknown.
package func repacked(_ stream: [UInt8], format: AudioFormat, settings: MP3Settings, version: String) -> [UInt8]? {
    var follower = MP3FrameFollower(format: format, settings: settings)
    var packer = MP3FramePacker(format: format, settings: settings, version: version)
    var contents: [MP3FrameContent] = []
    var bytes: [UInt8] = []
    guard follower.add(stream.span, to: &contents) else { return nil }
    for content in contents { guard packer.add(content, to: &bytes) else { return nil } }
    packer.finish(to: &bytes)
    return bytes
}
