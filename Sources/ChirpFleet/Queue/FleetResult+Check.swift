internal import ChirpAudio
internal import ChirpClips
internal import ChirpJournal

extension FleetResult {
    /// What makes it unfit to be taken; nil for nothing. Results come from the network: every number meets its range before it
    /// is compared, shown or added up.
    package var defect: String? {
        if v != FleetJob.version { return "its version is \(v), and this batch understands \(FleetJob.version)" }
        if !QueueNames.isToken(id.rawValue) || !QueueNames.isToken(batch) || !QueueNames.isToken(worker) {
            return "its names are malformed"
        }
        if !JobTicket.deliveries.contains(delivery) { return "its delivery is out of range" }
        switch outcome {
        case .made(let made): return made.defect
        case .failed(let fault): return fault.error == .cancelled ? "it says nothing" : nil
        }
    }
}

extension FleetResult.Made {
    /// Sizes of files, in bytes: up to a pebibyte.
    private static let sizes: ClosedRange<Int64> = 0...(1 << 50)
    /// Lengths, in seconds: up to four months.
    private static let times = 0...1e7
    private static let decibels = -1000.0...1000.0

    fileprivate var defect: String? {
        let (input, trim, level) = (receipt.input, receipt.trim, receipt.level)
        guard let clip = receipt.clip else { return "it has no clip" }
        if receipt.store != nil || receipt.network != nil || receipt.shareText != nil {
            return "its receipt is none of a clip"
        }
        if !Self.sizes.contains(clip.bytes) || !Self.sizes.contains(clip.predictedBytes)
            || !Self.sizes.contains(unlimitedBytes ?? 0)
        {
            return "its sizes are out of range"
        }
        if (draft == nil) == (self.clip == nil) { return "its clip is nowhere, or twice" }
        if let data = self.clip, data.count > FleetJob.largestInline { return "its clip is too large for a message" }
        if ![input.seconds, trim.headSeconds, trim.tailSeconds, clip.seconds].allSatisfy(Self.times.contains) {
            return "its times are out of range"
        }
        let took = receipt.timings
        let timings = [took.read, took.analyse, took.render, took.verify, took.upload, took.post, took.total]
        if !timings.allSatisfy({ Self.times.contains($0 ?? 0) }) { return "its timings are out of range" }
        let levels = [
            level.gainDB, level.limitedDB, level.beforeLUFS ?? 0, level.afterLUFS ?? 0, level.truePeakDBTP ?? 0,
        ]
        if !levels.allSatisfy(Self.decibels.contains) { return "its levels are out of range" }
        if !(1...10_000_000).contains(input.sampleRate) || !(1...1024).contains(input.channels)
            || !(1...48_000).contains(clip.sampleRate) || !(1...2).contains(clip.channels)
            || !(0...1_000_000_000).contains(clip.frames) || !(0...320).contains(clip.bitrateKbps)
        {
            return "its format is out of range"
        }
        if clip.sha256.utf8.count != 64 || !QueueNames.isToken(clip.sha256) { return "its digest is malformed" }
        let texts =
            [input.name, input.sha256, input.format, clip.preset] + receipt.notes.flatMap { [$0.code, $0.text] }
        if receipt.notes.count > 100 || texts.contains(where: { $0.utf8.count > 16_384 }) {
            return "its texts are too long"
        }
        return nil
    }
}
