import ChirpMusic
import ChirpTestKit
import Foundation
import MadeSounds

/// Measures what is heard of made attempts and of made claps, bounces and skips: Benchmarks/hearing.
///
///     hearing [attempts=200] [silent=50] [events=200] [ratio=20] [seed=1] [sounds=FOLDER] [first=0]
///
/// Prints a line of JSON for each recording, and nothing else; the truth stands beside what was heard.
@main
enum Hearing {
    static func main() throws {
        var options = ["attempts": 200, "silent": 50, "events": 200, "ratio": 20, "seed": 1, "first": 0]
        var folder: String?
        for word in CommandLine.arguments.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2, options[parts[0]] != nil, let number = Int(parts[1]), number >= 0 {
                options[parts[0]] = number
            } else if parts.count == 2, parts[0] == "sounds" {
                folder = parts[1]
            } else {
                FileHandle.standardError.write(Data("hearing: unknown option '\(word)'\n".utf8))
                exit(64)
            }
        }
        func option(_ name: String) -> Int { options[name] ?? 0 }
        let (seed, first) = (UInt64(option("seed")), option("first"))
        let voices = VoiceLibrary()
        for number in first..<(first + option("attempts")) { try show(attempt(number, voices, seed)) }
        for number in 0..<option("silent") { try show(silent(number, voices, seed)) }
        guard option("events") > 0 else { return }
        let sounds = try folder.map { try EventSounds(folder: $0) } ?? EventSounds()
        for number in first..<(first + option("events")) {
            try show(events(number, Double(option("ratio")), sounds, voices, seed))
        }
    }

    private static func attempt(_ number: Int, _ voices: VoiceLibrary, _ seed: UInt64) throws -> Line {
        let attempt = try MadeAttempt(MadeAttempt.conditions(number, seed: seed), voices: voices, seed: seed)
        let clock = ContinuousClock()
        var score: AttemptScore?
        let time = clock.measure { score = AttemptScore(attempt) }
        guard let score else { return Line(kind: "attempt", number: number) }
        let conditions = attempt.conditions
        var line = Line(kind: "attempt", number: number)
        line.conditions = [
            "ratio": conditions.ratio, "fading": conditions.fading, "direct": conditions.direct,
            "voice": conditions.voice,
            "drift": conditions.drift, "duration": conditions.duration, "rate": Double(conditions.rate),
            "isRecorded": voices.isRecorded ? 1 : 0,
        ]
        line.words = ["codec": conditions.codec.rawValue, "noise": conditions.noise.rawValue]
        if let refusal = score.refusal { line.words["refusal"] = "\(refusal)" }
        line.isRight = score.codeIsRight
        line.found = [
            "start": score.startError, "stop": score.stopError, "duration": score.durationError,
            "drift": score.take?.drift.map { $0 - conditions.drift }, "confidence": score.take?.confidence,
            "nanoseconds": time / .seconds(1) * 1e9 / Double(attempt.samples.count),
        ].compactMapValues { $0 }
        // The same recording handed in for another attempt.
        if let other = AttemptCode((attempt.code.number + 1 + number * 37) % 10000), other != attempt.code {
            do throws(TimedTakeError) {
                _ = try TimedTake.find(in: attempt.samples, rate: attempt.rate, code: other)
                line.words["other"] = "taken"
            } catch {
                line.words["other"] = error == .wrongCode(heard: attempt.code) ? "refused" : "\(error)"
            }
        }
        return line
    }

    /// A minute of voices and noise without any tone.
    private static func silent(_ number: Int, _ voices: VoiceLibrary, _ seed: UInt64) throws -> Line {
        var random = SeededGenerator(seed: seed &* 13_000_003 &+ UInt64(number))
        let rate = 16000
        let noise = Noise.allCases[number % 3].samples(60 * rate, rate: rate, voices: voices, using: &random)
        var line = Line(kind: "silent", number: number)
        guard let code = AttemptCode(Int.random(in: 0...9999, using: &random)) else { return line }
        do throws(TimedTakeError) {
            line.found["confidence"] = try TimedTake.find(in: noise, rate: rate, code: code).confidence
        } catch {
            line.isRight = error == .noStart
            line.words["refusal"] = "\(error)"
        }
        return line
    }

    private static func events(
        _ number: Int, _ ratio: Double, _ sounds: EventSounds, _ voices: VoiceLibrary, _ seed: UInt64
    ) throws -> Line {
        let made = MadeEvents(number, ratio: ratio, sounds: sounds, voices: voices, seed: seed)
        let clock = ContinuousClock()
        var counted: EventCount?
        let time = clock.measure { counted = EventCount(of: made.kind, in: made.samples, rate: made.rate) }
        var line = Line(kind: made.kind.rawValue, number: number)
        let heard = counted?.events.map(\.seconds) ?? []
        let distances = made.instants.map { instant in heard.map { abs($0 - instant) }.min() ?? .infinity }.sorted()
        line.isRight = heard.count == made.instants.count
        line.found = [
            "count": Double(heard.count), "truth": Double(made.instants.count),
            "distance": min(9, distances[distances.count / 2]),
            "nanoseconds": time / .seconds(1) * 1e9 / Double(made.samples.count),
        ]
        line.words = ["noise": made.noise.rawValue, "sound": made.isRecorded ? "recorded" : "made"]
        line.conditions = ["fading": made.fading, "interval": made.interval, "rate": Double(made.rate)]
        return line
    }

    private static func show(_ line: Line) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(line), as: UTF8.self))
    }
}

/// What is printed of a recording.
private struct Line: Encodable {
    var kind: String
    var number: Int
    var isRight = false
    var conditions: [String: Double] = [:]
    var words: [String: String] = [:]
    var found: [String: Double] = [:]
}
