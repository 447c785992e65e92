internal import ChirpAudio

/// One of the encoders beside a recording, with what it has made so far and how that sounds.
///
/// A class, since several of them stand in an array.
final class LiveLane {
    /// On top of the recording.
    let gain: Decibels
    let facts: MP3EncoderFacts
    private(set) var index = MP3FrameIndex()
    private var encoder: MP3Encoder?
    private var listener: MP3Listener?
    private var spool: MP3Spool?
    private var bytes: [UInt8] = []

    init(format: AudioFormat, settings: MP3Settings, gain: Decibels, spoolFolder: String) throws(AudioError) {
        let encoder = try MP3Encoder(format: format, settings: settings)
        let facts = encoder.facts
        self.gain = gain
        self.facts = facts
        self.listener = try MP3Listener(format: format, encoderDelay: facts.encoderDelay)
        self.encoder = consume encoder
        spool = MP3Spool(folder: spoolFolder)
    }

    /// - Parameter block: with the lane's gain.
    func write(_ block: borrowing AudioBlock) throws(AudioError) {
        try encoder?.encode(block, into: &bytes)
        try deliver()
    }

    /// Encodes what is left.
    func finish() throws(AudioError) -> LiveVersion {
        try encoder.take()?.finish(into: &bytes)
        try deliver()
        index.finish()
        let peaks = listener?.peaks ?? []
        return LiveVersion(gain: gain, moments: listener.take()?.finish() ?? Moments(), peaks: peaks)
    }

    private func deliver() throws(AudioError) {
        index.add(bytes.span)
        try listener?.add(bytes.span)
        try spool?.add(bytes.span)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Hands out the frames one by one, once.
    func drain(_ emit: (Int, inout [UInt8], Range<Int>) throws(AudioError) -> Void) throws(AudioError) {
        var pending: [UInt8] = []
        var number = 0
        let entries = index.entries
        try spool.take()?.drain { (all) throws(AudioError) in
            var start = 0
            while start < all.count {
                let end = min(start + 65536, all.count)
                all.extracting(start..<end).withUnsafeBufferPointer { pending.append(contentsOf: $0) }
                start = end
                var position = 0
                while number < entries.count, position + Int(entries[number].bytes) <= pending.count {
                    let next = position + Int(entries[number].bytes)
                    try emit(number, &pending, position..<next)
                    position = next
                    number += 1
                }
                pending.removeSubrange(..<position)
            }
        }
    }
}
