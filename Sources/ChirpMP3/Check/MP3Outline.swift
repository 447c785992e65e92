internal import ChirpAudio

/// The outline of a clip for a picture, found piece by piece: the highest magnitude of each stretch of time, as long as each other.
struct MP3Outline: Sendable {
    /// Windows of 10 ms in a stretch. Pieces begin with whole tenths of a second, so that theirs are joined without a gap.
    let windows: Int

    /// Clips up to this length, in seconds, get a value for each 10 ms, longer ones for each 100 ms: 40 bytes a second.
    private static let longestFine = 600

    /// - Parameter expectedFrames: the length of the clip when known.
    init(sampleRate: Int, expectedFrames: Int?) {
        windows = expectedFrames.map { $0 <= Self.longestFine * sampleRate } ?? false ? 1 : 10
    }

    /// The stretches of a piece.
    ///
    /// - Parameters:
    ///   - offset: where the piece begins in the block.
    ///   - range: the piece in PCM frames of the clip; it begins with a tenth of a second.
    func magnitudes(
        of block: borrowing AudioBlock, from offset: Int, _ range: Range<Int>, firstTenth: Int
    ) -> [Float] {
        let sampleRate = block.format.sampleRate
        var found: [Float] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let next = 10 * firstTenth + (found.count + 1) * windows
            let end = min(LevelWindows.frame(ofWindow: next, sampleRate: sampleRate), range.upperBound)
            var highest: Float = 0
            for channel in 0..<block.format.channels {
                let magnitude = block.withPlane(channel) {
                    highestMagnitude($0, start - range.lowerBound + offset..<end - range.lowerBound + offset)
                }
                highest = max(highest, magnitude)
            }
            found.append(highest)
            start = end
        }
        return found
    }
}

private func highestMagnitude(_ samples: borrowing Span<Float>, _ range: Range<Int>) -> Float {
    var highest: Float = 0
    for index in range {
        let magnitude = abs(samples[index])
        if magnitude > highest { highest = magnitude }
    }
    return highest
}
