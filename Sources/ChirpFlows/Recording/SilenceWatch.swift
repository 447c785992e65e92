internal import ChirpAudio

/// Tells when somebody has finished speaking, while the recording runs.
///
/// It looks at the level of every piece of 20 ms and compares it with what came before: the noise floor (the level that 10 %
/// of the pieces stay below) and the top (the level that only four pieces exceed). Silence is what lies close to the floor
/// and well below the top; when the two cannot be told apart everything counts as sound, because a recording that goes on is
/// better than one that was cut.
struct SilenceWatch: Sendable {
    /// Half decibels above -120 dBFS.
    private static let codes = 256
    private var histogram = [Int](repeating: 0, count: codes)
    private var pieces = 0
    private var hasHeard = false
    /// Frames since the last sound.
    private(set) var silentFrames = 0

    /// Takes the next piece.
    ///
    /// - Parameter level: its RMS, dBFS.
    mutating func add(_ level: Decibels, frames: Int) {
        let code = Self.code(level)
        histogram[code] += 1
        pieces += 1
        if code > 0, code >= threshold {
            hasHeard = true
            silentFrames = 0
        } else {
            silentFrames += frames
        }
    }

    /// Whether something was heard, and nothing for so long since.
    func isOver(after frames: Int) -> Bool { hasHeard && silentFrames >= frames }

    /// 6 dB above the floor or 30 dB below the top, whichever is higher, but always at least 10 dB below the top.
    private var threshold: Int {
        var left = pieces / 10
        var floor = 0
        while floor < Self.codes - 1, left >= histogram[floor] {
            left -= histogram[floor]
            floor += 1
        }
        left = min(4, pieces / 8)
        var top = Self.codes - 1
        while top > 0, left >= histogram[top] {
            left -= histogram[top]
            top -= 1
        }
        return min(max(floor + 2 * 6, top - 2 * 30), top - 2 * 10)
    }

    private static func code(_ level: Decibels) -> Int {
        guard level.value > -120 else { return 0 }
        return min(codes - 1, Int((level.value + 120) * 2))
    }
}
