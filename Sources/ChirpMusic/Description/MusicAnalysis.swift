internal import Glibc

/// Why a sound has no profile.
package enum MusicAnalysisError: Error, Hashable, Sendable {
    /// Shorter than ``MusicAnalysis/shortest``: how long it is, in seconds.
    case tooShort(Double)
    /// Outside of ``MusicAnalysis/rates``, in hertz.
    case rate(Int)
    /// There is nothing to hear in it.
    case silent
}

/// Listens to a recording that comes in blocks and tells its tempo, beats, key and what it is like.
///
/// What is found does not depend on how the recording is cut into blocks, nor, but for rounding, on its level. Memory is bounded: of tempo and beats the first hour
/// is heard, of all else everything.
package struct MusicAnalysis: ~Copyable {
    /// In seconds: below that there is no rhythm to speak of.
    package static let shortest = 3.0
    /// Samples a second.
    package static let rates = 8000...384_000

    /// Mel bands, from foot to foot in hertz: the same at every rate, so that descriptions can be compared.
    private static let bands = 40
    private static let range = 40.0...9000.0

    private let rate: Double
    private let inputRate: Int
    private var received = 0
    private var decimator: Decimator
    private var samples: [Float] = []
    private var short: SpectrumStream
    private var long: SpectrumStream
    private let mel: MelBands
    private var energies: [Float] = []
    private var pulse: PulseCurve
    private var timbre: TimbreCourse
    private var pitches: PitchCourse
    private var levels: LevelCourse

    /// - Parameter rate: in hertz, one of ``rates``.
    package init(rate inputRate: Int) throws(MusicAnalysisError) {
        guard Self.rates.contains(inputRate) else { throw .rate(inputRate) }
        self.inputRate = inputRate
        decimator = Decimator(rate: inputRate)
        rate = Double(inputRate) / Double(decimator.factor)
        let whole = Int(rate.rounded())
        short = SpectrumStream(window: Int(rate * 0.046), hop: Int((rate / PulseCurve.rate).rounded()))
        long = SpectrumStream(window: Int(rate * PitchCourse.window), hop: Int((rate / PitchCourse.rate).rounded()))
        mel = MelBands(count: Self.bands, range: Self.range, bins: short.bins, rate: whole)
        pulse = PulseCurve(bands: Self.bands, lowBands: mel.touching(0...150).count)
        timbre = TimbreCourse(middles: mel.middles)
        pitches = PitchCourse(bins: long.bins, rate: rate)
        levels = LevelCourse(rate: rate)
    }

    /// - Parameter block: mono, full scale 1, of any length. What is no number counts as silence.
    package mutating func append(_ block: borrowing Span<Float>) {
        // However long a block is, what is kept of it is not.
        var start = 0
        while start < block.count {
            let end = min(block.count, start + 65_536)
            received += end - start
            samples.removeAll(keepingCapacity: true)
            decimator.append(block.extracting(start..<end), to: &samples)
            listen()
            start = end
        }
    }

    /// The same for an array.
    package mutating func append(_ block: [Float]) { append(block.span) }

    /// Tells what was heard. Nothing may be appended afterwards.
    package mutating func finish() throws(MusicAnalysisError) -> SoundProfile {
        let seconds = Double(received) / Double(inputRate)
        guard seconds >= Self.shortest else { throw .tooShort(seconds) }
        samples.removeAll(keepingCapacity: true)
        decimator.finish(to: &samples)
        listen()
        short.finish()
        long.finish()
        hearSpectra()
        guard timbre.isHeard, let profile = profile(seconds: seconds) else { throw .silent }
        return profile
    }

    private mutating func listen() {
        levels.append(samples)
        short.append(samples)
        long.append(samples)
        hearSpectra()
    }

    private mutating func hearSpectra() {
        while let (_, isWhole) = short.next() {
            energies.removeAll(keepingCapacity: true)
            let power = short.power
            mel.append(power.span, to: &energies)
            pulse.append(energies, isWhole: isWhole)
            timbre.append(energies)
        }
        while long.next() != nil { pitches.append(long.power) }
    }

    private func profile(seconds: Double) -> SoundProfile? {
        let pulseRate = rate / Double(short.hop)
        let rhythm = Rhythm(pulse.values, rate: pulseRate)
        let semitones = pitches.semitones()
        let key = KeySearch.find(semitones, deviation: pitches.deviation)
        let density = pulse.density(rate: pulseRate)
        let numbers =
            timbre.numbers + rhythm.numbers(density: density, lowShare: pulse.lowShare)
            + semitones.intervals + levels.numbers + Self.numbers(rhythm.tempo, key)
        guard let description = SoundDescription(numbers.map(Float.init)) else { return nil }
        return SoundProfile(
            seconds: rounded(seconds, to: 1000), tempo: rhythm.tempo, grid: rhythm.grid, key: key,
            description: description, loudestSecond: levels.loudestSecond,
            figures: SoundFigures(
                tempi: rhythm.tempo?.offered ?? [], key: key?.key, density: rounded(density, to: 100),
                brightness: rounded(timbre.brightness, to: 1)))
    }

    /// Tempo on a circle on which the double lies where the half does, and key on that of fifths: six numbers, nearer to 0 the less is known.
    private static func numbers(_ tempo: TempoEstimate?, _ key: KeyEstimate?) -> [Double] {
        let (tempoWeight, keyWeight) = (tempo?.confidence ?? 0, key?.fit ?? 0)
        let tempoAngle = 2 * Double.pi * log2(tempo?.beatsPerMinute ?? 1)
        let keyAngle = 2 * Double.pi * Double(key?.key.sharps ?? 0) / 12
        return [
            tempoWeight * cos(tempoAngle), tempoWeight * sin(tempoAngle), tempoWeight,
            keyWeight * cos(keyAngle), keyWeight * sin(keyAngle),
            key.map { keyWeight * ($0.key.mode == .major ? 1 : -1) } ?? 0,
        ]
    }
}
