public import ChirpAudio
internal import Glibc

/// A made signal in memory: planes of samples with a format. Same seed, same samples.
public struct Signal: Hashable, Sendable {
    public var format: AudioFormat
    public var planes: [[Float]]

    public var frames: Int { planes[0].count }

    public init(format: AudioFormat, planes: [[Float]]) {
        self.format = format
        self.planes = planes
    }

    /// Digital silence.
    public static func silence(_ format: AudioFormat, seconds: Double) -> Signal {
        let frames = Int((seconds * Double(format.sampleRate)).rounded())
        return Signal(
            format: format, planes: Array(repeating: Array(repeating: 0, count: frames), count: format.channels))
    }

    /// A sine in all channels.
    ///
    /// - Parameters:
    ///   - frequency: hertz.
    ///   - level: of the peak, in dBFS.
    ///   - phase: at the start, in degrees.
    public static func sine(
        _ format: AudioFormat, frequency: Double, level: Double, seconds: Double, phase: Double = 0
    ) -> Signal {
        var signal = silence(format, seconds: seconds)
        let amplitude = pow(10, level / 20)
        let step = 2 * Double.pi * frequency / Double(format.sampleRate)
        let wave = (0..<signal.frames).map { Float(amplitude * sin(step * Double($0) + phase * .pi / 180)) }
        for channel in signal.planes.indices { signal.planes[channel] = wave }
        return signal
    }

    /// White noise, different in each channel, uniformly distributed.
    ///
    /// - Parameter level: RMS in dBFS.
    public static func noise(_ format: AudioFormat, level: Double, seconds: Double, seed: UInt64 = 1) -> Signal {
        var signal = silence(format, seconds: seconds)
        let amplitude = Float(pow(10, level / 20) * 3.0.squareRoot())
        var generator = SeededGenerator(seed: seed)
        for channel in signal.planes.indices {
            for index in signal.planes[channel].indices {
                signal.planes[channel][index] = amplitude * Float.random(in: -1...1, using: &generator)
            }
        }
        return signal
    }

    /// Something like speech: syllables of a buzz at 120 Hz through two moving resonances, in phrases with pauses of
    /// digital silence, about -20 dBFS at the loudest.
    ///
    /// - Parameters:
    ///   - head: silence in front, in seconds.
    ///   - tail: silence behind.
    public static func speech(
        _ format: AudioFormat, seconds: Double, head: Double = 0, tail: Double = 0, seed: UInt64 = 7
    ) -> Signal {
        var signal = silence(format, seconds: head + seconds + tail)
        let rate = Double(format.sampleRate)
        var generator = SeededGenerator(seed: seed)
        let first = Int(head * rate)
        let end = first + Int(seconds * rate)
        var position = first
        var wave = [Float](repeating: 0, count: signal.frames)
        while position < end {
            let syllable = min(end - position, Int(Double.random(in: 0.12...0.28, using: &generator) * rate))
            let pitch = Double.random(in: 95...145, using: &generator)
            let formants = (
                Double.random(in: 350...800, using: &generator), Double.random(in: 1000...2400, using: &generator)
            )
            let level = Double.random(in: 0.5...1, using: &generator)
            for index in 0..<syllable {
                let t = Double(index) / rate
                let inPeriod = (t * pitch).truncatingRemainder(dividingBy: 1) / pitch
                let buzz =
                    exp(-inPeriod * 350) * sin(2 * .pi * formants.0 * inPeriod)
                    + 0.6 * exp(-inPeriod * 500) * sin(2 * .pi * formants.1 * inPeriod)
                let shape = min(1, min(Double(index), Double(syllable - index)) / (0.012 * rate))
                wave[position + index] = Float(0.3 * level * shape * buzz)
            }
            position += syllable
            // A short gap between syllables, now and then a pause for breath; never at the very end.
            let gap = Double.random(in: 0...1, using: &generator) < 0.15 ? 0.35 : 0.03
            if Double(end - position) / rate > gap + 0.15 { position += Int(gap * rate) }
        }
        for channel in signal.planes.indices { signal.planes[channel] = wave }
        return signal
    }

    /// The sum of two signals of the same format; as long as the longer one.
    public static func + (a: Signal, b: Signal) -> Signal {
        precondition(a.format == b.format)
        var sum = a.frames >= b.frames ? a : b
        let other = a.frames >= b.frames ? b : a
        for channel in sum.planes.indices {
            for index in other.planes[channel].indices { sum.planes[channel][index] += other.planes[channel][index] }
        }
        return sum
    }

    /// One after another.
    public func followed(by other: Signal) -> Signal {
        precondition(format == other.format)
        return Signal(format: format, planes: zip(planes, other.planes).map { $0 + $1 })
    }

    /// Louder or softer by so many decibels.
    public func amplified(by decibels: Double) -> Signal {
        let factor = Float(pow(10, decibels / 20))
        return Signal(format: format, planes: planes.map { $0.map { $0 * factor } })
    }

    /// Cut off at full scale.
    public func clipped() -> Signal {
        Signal(format: format, planes: planes.map { $0.map { min(1, max(-1, $0)) } })
    }

    /// A reader over it.
    public func reader() -> SignalReader { SignalReader(self) }
}
