internal import ChirpAudio

/// The bit reservoir by LAME 3.100's rules: from what a frame's content needs to the frame's rate, the place of its
/// main data, and the stuffing. Everything in bits, as LAME counts.
///
/// Tests compare it frame by frame with LAME at every rate; it also notices at run time when LAME does otherwise.
struct MP3Reservoir: Hashable, Sendable {
    /// Where a frame's content goes.
    struct Placement: Hashable, Sendable {
        var rateIndex: Int
        var isPadded: Bool
        var frameBytes: Int
        /// Stuffing before the frame's main data, still in earlier frames: whole bytes.
        var drainBefore: Int
        /// Stuffing behind it.
        var drainAfter: Int
        /// In bytes.
        var mainDataBegin: Int
    }

    /// Bits saved up so far.
    private(set) var bits = 0
    private let rate: MP3Settings.Rate
    private let sampleRate: Int
    /// Header and side information of a frame, in bits.
    private let sideBits: Int
    /// Bytes of an unpadded frame by rate index, 0 at index 0.
    private let frameBytes: [Int]
    /// The highest rate index: 160 and 320 kbps, 64 for MPEG-2.5.
    private let highest: Int
    private let constantIndex: Int
    /// Hundredths of bytes, so to say: the remainder of the frame size at a constant rate, and its balance.
    private let fraction: Int
    private var balance: Int
    /// What `main_data_begin` can count, in bits.
    private let farthest: Int
    /// The most that a decoder must hold for one frame, in bits.
    private let mostFrameBits: Int

    init(format: AudioFormat, settings: MP3Settings) {
        let isMPEG1 = format.sampleRate >= 32000
        let granules = isMPEG1 ? 2 : 1
        let table = isMPEG1 ? MP3FrameHeader.kbpsOfMPEG1 : MP3FrameHeader.kbpsOfMPEG2
        rate = settings.rate
        sampleRate = format.sampleRate
        sideBits = 8 * (4 + (isMPEG1 ? (format.channels == 1 ? 17 : 32) : (format.channels == 1 ? 9 : 17)))
        frameBytes = [0] + table.map { MP3FrameHeader.byteCount(kbps: $0, sampleRate: format.sampleRate) }
        highest = format.sampleRate < 16000 ? 8 : 14
        farthest = 8 * 256 * granules - 8
        mostFrameBits = 7680 * granules
        if case .constant(let kbps) = settings.rate {
            constantIndex = (table.firstIndex(of: kbps) ?? 0) + 1
            fraction = (isMPEG1 ? 144_000 : 72000) * kbps % format.sampleRate
        } else {
            constantIndex = 0
            fraction = 0
        }
        balance = fraction
    }

    /// Puts a frame into the stream.
    ///
    /// - Returns: nil when no frame can hold it.
    mutating func place(usedBits: Int, isSilent: Bool) -> Placement? {
        var isPadded = false
        if fraction > 0 {
            balance -= fraction
            if balance < 0 {
                balance += sampleRate
                isPadded = true
            }
        }
        guard let index = rateIndex(usedBits: usedBits, isSilent: isSilent) else { return nil }
        let bytes = frameBytes[index] + (isPadded ? 1 : 0)
        let most = mostSaved(frameBits: 8 * bytes)
        let begin = bits / 8
        var after = bits - usedBits + 8 * bytes - sideBits
        guard after >= 0 else { return nil }
        // Up to whole bytes, and what may not be saved; first into what earlier frames have left.
        var stuffing = after % 8
        stuffing += max(0, after - stuffing - most)
        let before = min(8 * begin, stuffing) / 8 * 8
        after -= stuffing
        bits = after
        return Placement(
            rateIndex: index, isPadded: isPadded, frameBytes: bytes, drainBefore: before, drainAfter: stuffing - before,
            mainDataBegin: begin - before / 8)
    }

    /// Moves on by frames that someone else placed.
    mutating func skip(to bits: Int, frames: Int) {
        self.bits = bits
        if fraction > 0 {
            balance = (fraction - frames % sampleRate * fraction % sampleRate + sampleRate) % sampleRate
        }
    }

    /// Whether the encoder might have decided otherwise about the sound with another reservoir: near the highest rate,
    /// where LAME cuts what a frame may take. Its own limits begin at 0.9 of the highest frame.
    func isNearLimit(usedBits: Int) -> Bool {
        let room = 8 * frameBytes[highest] - sideBits
        return switch rate {
        case .constant: false
        case .average: usedBits * 5 > room * 3
        case .variable: usedBits * 20 > room * 17
        }
    }

    /// Bits that may be saved behind a frame of this size.
    private func mostSaved(frameBits: Int) -> Int { max(0, min(farthest, mostFrameBits - frameBits)) }

    /// Bits that a frame of a rate can hold with so much saved.
    private func capacity(_ index: Int, saved: Int) -> Int {
        let frameBits = 8 * frameBytes[index]
        return min(mostFrameBits, frameBits - sideBits + min(saved, mostSaved(frameBits: frameBits)))
    }

    private func rateIndex(usedBits: Int, isSilent: Bool) -> Int? {
        switch rate {
        case .constant: return constantIndex
        case .average:
            // The lowest that leaves no debt.
            return (1...highest).first { capacity($0, saved: bits - usedBits) >= 0 }
        case .variable:
            // The lowest that holds it; then, unless silent, the highest that saves no more than may be saved.
            let lowest = (1...highest).first { usedBits <= capacity($0, saved: bits) } ?? highest
            let saved = isSilent ? 0 : mostSaved(frameBits: 8 * frameBytes[highest])
            var index = lowest
            if saved > 0 {
                index = highest
                while index > lowest, capacity(index, saved: bits) - usedBits > saved { index -= 1 }
            }
            return usedBits <= capacity(index, saved: bits) ? index : nil
        }
    }
}
