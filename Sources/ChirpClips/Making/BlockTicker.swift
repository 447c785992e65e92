internal import ChirpAudio

/// Looks at the world once per block: whether the task was cancelled, and whether it is time to report.
struct BlockTicker {
    private var blocks = 0
    /// Every 16th block, 1.5 s of audio.
    var isDue: Bool { blocks % 16 == 0 }

    mutating func check() throws(AudioError) {
        blocks += 1
        if Task.isCancelled { throw .cancelled }
    }
}
