import ChirpClips
import ChirpCore
import ChirpFiles
import ChirpIntake
import ChirpMusic
import Foundation

/// Makes the previews of some listeners of a track, and names the listener of a leak: Benchmarks/leaks.
///
///     leaks make MASTER VOICE FOLDER LISTENER...
///     leaks find MASTER VOICE FOLDER LEAK...
///
/// There are a thousand listeners, 0 to 999. FOLDER gets `LISTENER.mp3` and `track.json`, which is read by `find`. Prints a line of JSON for each.
@main
enum Leaks {
    static let listeners = 1000

    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count > 4 else { return fail("make or find, then MASTER VOICE FOLDER and what of") }
        let (master, voice, folder, rest) = (words[1], words[2], words[3], words.dropFirst(4))
        switch words[0] {
        case "make": try make(master, voice, folder, rest.compactMap { Int($0) })
        case "find": try find(master, voice, folder, Array(rest))
        default: fail("make or find")
        }
    }

    private static func make(_ master: String, _ voice: String, _ folder: String, _ chosen: [Int]) throws {
        let facts = try MasterFacts(hearing: master, name: master)
        let seconds = try MasterFacts(hearing: voice, name: voice).seconds
        let track = Track(
            name: master, beats: facts.profile?.grid.beats ?? [], loudestSecond: facts.loudestSecond,
            length: PreviewRules.length(of: facts.seconds) / .seconds(1), voice: seconds)
        try JSONEncoder().encode(track).write(to: URL(filePath: folder + "/track.json"))
        for listener in chosen {
            let path = "\(folder)/\(listener).mp3"
            let plan = track.plan(of: listener)
            let start = clock()
            let made = try makePreview(
                of: ClipSource(path: master, name: master, sha256: ""), PreviewWishes(places: plan.places),
                voice: ClipSource(path: voice, name: "voice", sha256: ""), to: .file(path))
            try say(
                MadeLine(
                    path: path, listener: listener, planned: plan.places, heard: made.voice.map(\.seconds),
                    loudestSecond: facts.loudestSecond, seconds: made.seconds, voice: seconds,
                    processor: Double(clock() - start) / Double(CLOCKS_PER_SEC)))
        }
    }

    private static func find(_ master: String, _ voice: String, _ folder: String, _ leaks: [String]) throws {
        let data = try Data(contentsOf: URL(filePath: folder + "/track.json"))
        let track = try JSONDecoder().decode(Track.self, from: data)
        let plans = (0..<listeners).map { track.plan(of: $0) }
        let (sound, said) = try (
            TaggedLeak.samples(of: master, name: master), TaggedLeak.samples(of: voice, name: voice)
        )
        for path in leaks {
            let start = clock()
            let leak = TaggedLeak(try TaggedLeak.samples(of: path, name: path), of: sound, voice: said)
            let naming = ListenerNaming(leak, plans)
            // Were she none of those known, nobody should be named.
            let others = naming.best.map { best in plans.indices.filter { $0 != best.pattern }.map { plans[$0] } }
            try say(
                FoundLine(
                    path: path, named: naming.named?.pattern, best: naming.best?.pattern,
                    isAnotherNamed: others.map { ListenerNaming(leak, $0).named != nil } ?? false,
                    confidence: naming.best?.confidence, agreeing: naming.best?.agreeing, heard: naming.best?.heard,
                    fits: leak.fits, processor: Double(clock() - start) / Double(CLOCKS_PER_SEC)))
        }
    }

    private static func say(_ line: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(line), as: UTF8.self))
    }

    private static func fail(_ words: String) {
        FileHandle.standardError.write(Data("leaks: \(words)\n".utf8))
        exit(64)
    }
}

/// What patterns depend on.
private struct Track: Codable {
    var name: String
    var beats: [Double]
    var loudestSecond: Double
    var length: Double
    var voice: Double

    var slots: TagSlots { TagSlots(beats: beats, loudestSecond: loudestSecond, length: length, voice: voice) }

    func plan(of listener: Int) -> TagPlan {
        let digest = FileDigest.sha256(of: Array("\(name) \(listener)".utf8))
        return TagPlan(slots, seed: UInt64(digest.prefix(16), radix: 16) ?? 0)
    }
}

private struct MadeLine: Encodable {
    var path: String
    var listener: Int
    var planned: [Double]
    var heard: [Double]
    var loudestSecond: Double
    var seconds: Double
    var voice: Double
    var processor: Double
}

private struct FoundLine: Encodable {
    var path: String
    var named: Int?
    var best: Int?
    var isAnotherNamed: Bool
    var confidence: Double?
    var agreeing: Int?
    var heard: Int?
    var fits: [TaggedLeak.Fit]
    var processor: Double
}
