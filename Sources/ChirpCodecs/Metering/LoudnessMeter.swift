public import ChirpAudio

/// Measures loudness and peaks of a signal in one pass (ITU-R BS.1770-4, EBU Tech 3341 and 3342).
///
/// Streaming: 40 bytes per second of audio are kept, nothing else grows. Costs 3 to 5 ns per frame.
public struct LoudnessMeter: ~Copyable {
    private let format: AudioFormat
    /// What all channels together count for: 2 for mono as heard on both channels, otherwise 1.
    private let weight: Double
    private var weighting: KWeighting
    private var truePeak: TruePeakMeter?
    private var samplePeak: Float = 0

    private var frames = 0
    private var framesInWindow = 0
    private var nextBoundary: Int
    private var total = 0.0
    /// Mean squares of the last 400 ms and 3 s in steps of 10 ms, as rings, and the sums over them.
    private var recent = Array(repeating: 0.0, count: 300)
    private var windows = 0
    private var momentary = 0.0
    private var tenth = 0.0
    private var tenths: [Float] = []
    private var shortTerm: [Float] = []
    private var momentaryMaximum = 0.0
    private var shortTermMaximum = 0.0

    /// - Parameters:
    ///   - format: any sample rate above 4 kHz.
    ///   - weights: what each channel counts for, ``AudioFile/loudnessWeights``; may be left out for mono and stereo.
    ///   - dualMono: count mono as heard on two channels: 3.01 LU more.
    ///   - truePeak: measure true peaks too, which costs more than everything else for loud music.
    public init(format: AudioFormat, weights: [Double] = [], dualMono: Bool = true, truePeak: Bool = true) {
        precondition(weights.isEmpty ? format.channels <= 2 : weights.count == format.channels)
        self.format = format
        weight = format.channels == 1 && dualMono ? 2 : 1
        weighting = KWeighting(sampleRate: format.sampleRate, weights: weights)
        self.truePeak = truePeak ? TruePeakMeter(channels: format.channels) : nil
        nextBoundary = LevelWindows.frame(ofWindow: 1, sampleRate: format.sampleRate)
    }

    /// - Parameter block: of the meter's format, finite samples.
    public mutating func add(_ block: borrowing AudioBlock) {
        var position = 0
        while position < block.frames {
            let end = min(block.frames, position + nextBoundary - frames)
            weighting.add(block, position..<end)
            frames += end - position
            framesInWindow += end - position
            position = end
            if frames == nextBoundary { closeWindow() }
        }
        for channel in 0..<format.channels {
            let highest = block.withPlane(channel) { peak(of: $0) }
            if highest > samplePeak { samplePeak = highest }
        }
        truePeak?.add(block)
    }

    public func result() -> Loudness {
        let rest = weighting.energySoFar * weight
        let mean = frames > 0 ? (total + rest) / Double(frames) : 0
        return Loudness(
            integrated: gatedLoudness(tenths: tenths.span), ungated: Self.audible(mean),
            shortTermMaximum: Self.audible(shortTermMaximum), momentaryMaximum: Self.audible(momentaryMaximum),
            range: loudnessRange(shortTermBlocks: shortTerm), truePeak: truePeak?.peak(),
            samplePeak: Decibels(amplitude: Double(samplePeak)))
    }

    private static func audible(_ energy: Double) -> LUFS? {
        energy > LUFS(-70).energy ? LUFS(energy: energy) : nil
    }

    private func sum(ofLast count: Int) -> Double {
        var sum = 0.0
        for index in (windows - count)..<windows { sum += recent[index % recent.count] }
        return sum
    }

    private mutating func closeWindow() {
        let energy = weighting.takeEnergy() * weight
        total += energy
        let mean = energy / Double(framesInWindow)
        framesInWindow = 0
        recent[windows % recent.count] = mean
        windows += 1
        nextBoundary = LevelWindows.frame(ofWindow: windows + 1, sampleRate: format.sampleRate)
        tenth += mean
        if windows >= 40 {
            // Forty additions per 10 ms are nothing, and no error can build up as in a running sum.
            momentary = sum(ofLast: 40)
            if momentary / 40 > momentaryMaximum { momentaryMaximum = momentary / 40 }
        }
        guard windows % 10 == 0 else { return }
        tenths.append(Float(tenth / 10))
        tenth = 0
        guard windows >= 300 else { return }
        let mean3s = sum(ofLast: 300) / 300
        if mean3s > shortTermMaximum { shortTermMaximum = mean3s }
        shortTerm.append(Float(mean3s))
    }
}
