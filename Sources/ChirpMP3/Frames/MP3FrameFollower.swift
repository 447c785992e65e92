internal import ChirpAudio

/// Follows one encoder: takes its stream apart and notes for each frame what the encoder's reservoir was.
struct MP3FrameFollower: Sendable {
    private var splitter = MP3FrameSplitter()
    private var reservoir: MP3Reservoir
    private var pending: [MP3FrameContent] = []

    init(format: AudioFormat, settings: MP3Settings) {
        reservoir = MP3Reservoir(format: format, settings: settings)
    }

    /// Takes the next bytes of the encoder and appends the frames that became complete.
    ///
    /// - Returns: false when LAME did something that ``MP3Reservoir`` does not know.
    mutating func add(_ bytes: borrowing Span<UInt8>, to contents: inout [MP3FrameContent]) -> Bool {
        pending.removeAll(keepingCapacity: true)
        guard splitter.add(bytes, to: &pending) else { return false }
        for var content in pending {
            content.reservoir = reservoir.bits
            var silent = reservoir
            let loudPlace = reservoir.place(usedBits: content.usedBits, isSilent: false)
            let silentPlace = silent.place(usedBits: content.usedBits, isSilent: true)
            let isLoud = loudPlace?.rateIndex == content.rateIndex
            let isSilent = silentPlace?.rateIndex == content.rateIndex
            content.silence = isLoud ? (isSilent ? .either : .no) : .yes
            if !isLoud { reservoir = silent }
            guard isLoud || isSilent else { return false }
            guard (isLoud ? loudPlace : silentPlace)?.mainDataBegin == content.mainDataBegin else { return false }
            contents.append(content)
        }
        return true
    }
}
