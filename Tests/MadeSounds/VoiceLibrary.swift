package import ChirpTestKit
internal import Foundation

/// Voices for attempts: the recorded ones of Debian's asterisk-core-sounds-en-wav where it is installed, and made ones otherwise.
package struct VoiceLibrary: Sendable {
    /// At 8 kHz; empty without recordings.
    private let recordings: [[Float]]

    package static let folder = "/usr/share/asterisk/sounds/en_US_f_Allison"

    /// - Parameters:
    ///   - folder: of WAV files of 8 kHz and 16 bits; need not exist.
    ///   - most: how many are read.
    package init(folder: String = Self.folder, most: Int = 120) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let paths = names.filter { $0.hasSuffix(".wav") }.map { "\(folder)/\($0)" }
        // Sentences; what is shorter than two seconds are words and tones.
        let sentences = paths.compactMap { path -> [Float]? in
            guard let bytes = FileManager.default.contents(atPath: path), bytes.count > 32000 else { return nil }
            return bytes.dropFirst(44).withUnsafeBytes { raw in
                (0..<raw.count / 2).map { index in
                    Float(Int16(littleEndian: raw.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))) / 32768
                }
            }
        }
        let step = max(1, sentences.count / max(1, most))
        recordings = stride(from: 0, to: sentences.count, by: step).map { sentences[$0] }
    }

    /// Whether the voices are recorded.
    package var isRecorded: Bool { !recordings.isEmpty }

    /// Somebody says something; about -20 dBFS.
    package func utterance(rate: Int, using random: inout SeededGenerator) -> [Float] {
        let voice = recordings.randomElement(using: &random) ?? made(using: &random)
        let strength = level(of: voice[...])
        let scaled = voice.map { $0 * (strength > 0 ? 0.1 / strength : 0) }
        return resampled(scaled, ratio: Double(rate) / 8000)
    }

    /// Syllables of a buzz through two resonances.
    private func made(using random: inout SeededGenerator) -> [Float] {
        var result: [Float] = []
        for _ in 0..<Int.random(in: 6...20, using: &random) {
            let count = Int.random(in: 900...2200, using: &random)
            let pitch = Double.random(in: 90...240, using: &random)
            let (low, high) = (
                Double.random(in: 350...800, using: &random), Double.random(in: 1000...2800, using: &random)
            )
            for index in 0..<count {
                let time = Double(index) / 8000
                let inPeriod = (time * pitch).truncatingRemainder(dividingBy: 1) / pitch
                let buzz =
                    exp(-inPeriod * 350) * sin(2 * .pi * low * inPeriod)
                    + 0.6 * exp(-inPeriod * 500) * sin(2 * .pi * high * inPeriod)
                result.append(Float(buzz) * min(1, Float(min(index, count - index)) / 100))
            }
            result += Array(repeating: 0, count: Int.random(in: 100...2500, using: &random))
        }
        return result
    }
}
