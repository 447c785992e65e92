internal import CKernels

/// Turns a signal into ``LevelWindows`` as it comes, block by block: loudness, level above 80 Hz and peak for every 10 ms. Before the
/// signal there was its first sample, so that an offset is not heard as a thump.
///
/// A stretch that is there as a whole is measured in a quarter of the time by ``FourLaneMeter``; both do the same.
public struct LevelWindowMeter: ~Copyable {
    private let format: AudioFormat
    private let filters: MeasuringFilters
    private var memories: [chirp_measuring_memory]
    private var windows = LevelWindows()
    /// The window that is being measured.
    private var open = MeasuredUnit()
    private var nextBoundary: Int
    /// The frames that were measured.
    public private(set) var frames = 0

    /// - Parameters:
    ///   - format: mono or stereo.
    ///   - rumble: whether the signal will lose what lies below 20 Hz, and shall be measured like that.
    public init(format: AudioFormat, removingRumble rumble: Bool) {
        precondition(format.channels <= 2)
        self.format = format
        filters = MeasuringFilters(
            sampleRate: format.sampleRate, rumble: rumble, version: Kernels.fastest)
        memories = Array(repeating: chirp_measuring_memory(), count: format.channels)
        nextBoundary = LevelWindows.frame(ofWindow: 1, sampleRate: format.sampleRate)
    }

    /// The whole windows so far.
    public var wholeWindows: LevelWindows { windows }

    public mutating func add(_ block: borrowing AudioBlock) {
        if frames == 0, block.frames > 0 {
            for channel in memories.indices {
                memories[channel] = filters.memory(settledOn: block.withPlane(channel) { $0[0] })
            }
        }
        var position = 0
        while position < block.frames {
            let end = min(block.frames, position + nextBoundary - frames)
            for channel in memories.indices {
                // Four places that are one.
                let measured = block.withPlane(channel) { plane in
                    filters.run(&memories[channel], over: plane.extracting(position..<end), distance: 0)
                }
                open.add(measured, place: 0, filters)
            }
            frames += end - position
            open.frames += end - position
            position = end
            if frames == nextBoundary { closeWindow() }
        }
    }

    /// What was measured; the last window may be shorter than 10 ms.
    public consuming func finish() -> LevelWindows {
        if open.frames > 0 { closeWindow() }
        return windows
    }

    private mutating func closeWindow() {
        windows.append(LevelWindow(open, channels: format.channels))
        open = MeasuredUnit()
        nextBoundary = LevelWindows.frame(ofWindow: windows.count + 1, sampleRate: format.sampleRate)
    }
}
