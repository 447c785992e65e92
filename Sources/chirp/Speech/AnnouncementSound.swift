import ChirpAudio
import ChirpCodecs
import ChirpIntake
import Foundation

/// What is heard when a record was broken, as samples of one channel at 48 kHz.
enum AnnouncementSound {
    static let rate = 48_000
    /// In seconds: of the attempt.
    static let length = 3.0
    private static let silence = [Float](repeating: 0, count: rate / 5)
    /// Peaks of each part; one is as loud as the other.
    private static let peak: Float = 0.5

    /// What the voice says; nothing when it is no WAV of 16 bits (its head, from a pipe, says a length that it does not have).
    static func samples(ofSpoken bytes: [UInt8]) throws(AudioError) -> [Float] {
        func number(_ place: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        guard bytes.count > 44, Array(bytes[..<4]) == Array("RIFF".utf8), Array(bytes[36..<40]) == Array("data".utf8),
            number(22, 2) == 1, number(34, 2) == 16, (8000...48_000).contains(number(24, 4))
        else { return [] }
        let samples = stride(from: 44, to: bytes.count - 1, by: 2).map { place in
            Float(Int16(truncatingIfNeeded: number(place, 2))) / 32768
        }
        return try resampled(samples, from: number(24, 4))
    }

    /// The last three seconds before an instant, or of all of it.
    static func last(of reader: consuming IntakeReader, end: Double?) throws(AudioError) -> [Float] {
        let from = reader.format.sampleRate
        let limit = end.map { Int(min(max($0, 0), 100_000) * Double(from)) } ?? .max
        let kept = Int(length * Double(from))
        var samples: [Float] = []
        var position = 0
        var block = AudioBlock(format: reader.format)
        let share = 1 / Float(block.format.channels)
        while position < limit, try reader.read(into: &block) {
            let frames = min(block.frames, limit - position)
            let first = samples.count
            samples.append(contentsOf: repeatElement(0, count: frames))
            for channel in 0..<block.format.channels {
                block.withPlane(channel) { plane in
                    for index in 0..<frames { samples[first + index] += share * plane[index] }
                }
            }
            position += frames
            if samples.count > 8 * kept { samples.removeFirst(samples.count - kept) }
        }
        return try resampled(Array(samples.suffix(kept)), from: from)
    }

    /// All together as a WAV; nil when nothing is there but tones.
    static func file(voice: [Float], recorded: [Float]) -> [UInt8]? {
        guard !voice.isEmpty || !recorded.isEmpty else { return nil }
        var all = tones + silence
        if !voice.isEmpty { all += levelled(voice) + silence }
        all += levelled(recorded)
        return MonoWAV.file(all, rate: rate)
    }

    /// What the voice says, alone, as a WAV; nil when it says nothing.
    static func file(spoken voice: [Float]) -> [UInt8]? {
        voice.isEmpty ? nil : MonoWAV.file(levelled(voice), rate: rate)
    }

    /// Three rising tones: C, E and G.
    private static var tones: [Float] {
        [523.25, 659.26, 783.99].flatMap { frequency in
            let count = Int(0.16 * Double(rate))
            return (0..<count).map { index in
                let edge = min(1, Float(min(index, count - index)) / Float(rate / 100))
                return peak / 2 * edge * Float(sin(2 * .pi * frequency * Double(index) / Double(rate)))
            }
        }
    }

    private static func levelled(_ samples: [Float]) -> [Float] {
        let highest = samples.reduce(Float(0)) { max($0, abs($1)) }
        // What is all but silent is left as it is.
        guard highest > 0.003 else { return samples }
        return samples.map { $0 * peak / highest }
    }

    private static func resampled(_ samples: [Float], from: Int) throws(AudioError) -> [Float] {
        guard from != rate, !samples.isEmpty else { return samples }
        var block = AudioBlock(format: AudioFormat(sampleRate: from, channels: 1))
        var out = AudioBlock(format: AudioFormat(sampleRate: rate, channels: 1))
        var resampler = try Resampler(from: block.format, to: rate)
        var result: [Float] = []
        for first in stride(from: 0, to: samples.count, by: block.capacity) {
            block.resize(toFrames: min(block.capacity, samples.count - first))
            block.withMutablePlane(0) { plane in
                for index in plane.indices { plane[index] = samples[first + index] }
            }
            resampler.add(block)
            while try resampler.take(into: &out) { append(out, to: &result) }
        }
        while try resampler.drain(into: &out) { append(out, to: &result) }
        return result
    }

    private static func append(_ block: borrowing AudioBlock, to samples: inout [Float]) {
        block.withPlane(0) { plane in for index in plane.indices { samples.append(plane[index]) } }
    }
}
