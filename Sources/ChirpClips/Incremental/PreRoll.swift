internal import ChirpAudio

/// The latest part of a recording, kept until it is clear that it is worth encoding.
struct PreRoll {
    let format: AudioFormat
    /// The first frame that is kept, counted from the start of the recording: the start of ``firstWindow``.
    private(set) var firstFrame = 0
    private(set) var firstWindow = 0
    private var planes: [[Float]]

    init(format: AudioFormat) {
        self.format = format
        planes = Array(repeating: [], count: format.channels)
    }

    var frames: Int { planes[0].count }

    mutating func add(_ block: borrowing AudioBlock) {
        for channel in planes.indices {
            block.withPlane(channel) { plane in
                plane.withUnsafeBufferPointer { planes[channel].append(contentsOf: $0) }
            }
        }
    }

    /// Gives up what lies before a window.
    mutating func drop(beforeWindow window: Int) {
        guard window > firstWindow else { return }
        let frame = LevelWindows.frame(ofWindow: window, sampleRate: format.sampleRate)
        for channel in planes.indices { planes[channel].removeFirst(min(frame - firstFrame, frames)) }
        firstWindow = window
        firstFrame = frame
    }

    /// Hands out everything in blocks, and is empty.
    mutating func drain(_ emit: (borrowing AudioBlock) throws(AudioError) -> Void) throws(AudioError) {
        var block = AudioBlock(format: format)
        for start in stride(from: 0, to: frames, by: block.capacity) {
            block.resize(toFrames: min(block.capacity, frames - start))
            for channel in planes.indices {
                let samples = planes[channel]
                block.withMutablePlane(channel) { plane in
                    for index in plane.indices { plane[index] = samples[start + index] }
                }
            }
            try emit(block)
        }
        planes = Array(repeating: [], count: format.channels)
    }
}
