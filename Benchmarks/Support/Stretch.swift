public import ChirpAudio

/// A whole programme in one block, with silence before and behind it, for meters of stretches.
public final class Stretch: @unchecked Sendable {  // Proof: the block is only read once it is made.
    private let block: AudioBlock
    private let lead: Int
    private let frames: Int

    public init(_ programme: Programme) {
        let format = programme.format
        let lead = Int(FourLaneMeter.settlingSeconds * Double(format.sampleRate))
        frames = programme.frames
        var block = AudioBlock(format: format, capacity: lead + programme.frames + format.sampleRate)
        block.resize(toFrames: block.capacity)
        for channel in 0..<format.channels {
            let plane = programme.planes[channel]
            block.withMutablePlane(channel) { target in
                for index in plane.indices { target[lead + index] = plane[index] }
            }
        }
        self.block = block
        self.lead = lead
    }

    public func measure(_ meter: FourLaneMeter) -> [MeasuredUnit] {
        meter.measure(block, lead: lead, frames: frames, from: 0)
    }
}
