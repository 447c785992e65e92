import ChirpAudio
import ChirpBeats
import ChirpBoards
import ChirpClips
import ChirpCommunity
import ChirpIntake
import ChirpMusic
import ChirpTestKit
import ChirpWeb
import Foundation
import Testing

/// The whole way with sound: two listeners fetch a preview, one of them puts a part of hers elsewhere, and the author asks whose it is
/// (boards.md 5.2 point 6).
@Suite struct LeakTests {
    private static let format = AudioFormat(sampleRate: 44_100, channels: 2)

    /// Forty seconds of hits of noise over changing tones, loudest between 5 and 6 s.
    private static func track(seed: UInt64) -> Signal {
        var signal = Signal.noise(format, level: -20, seconds: 40, seed: seed)
        var random = SeededGenerator(seed: seed)
        var pitch = 440.0
        for frame in 0..<signal.frames {
            let time = Double(frame) / 44_100
            if frame % 11_025 == 0 { pitch = .random(in: 200...2000, using: &random) }
            let hit = Float(exp(-10 * time.truncatingRemainder(dividingBy: 0.5)))
            let loud: Float = (5..<6).contains(time) ? 2 : 1
            for channel in 0..<2 {
                let tone = Float(0.1 * sin(2 * .pi * pitch * time))
                signal.planes[channel][frame] = loud * (signal.planes[channel][frame] * hit + tone)
            }
        }
        return signal
    }

    /// As the hub's own, in this process.
    private func tagging(_ voice: [UInt8], _ folder: TemporaryFolder) throws -> ListenerTagging {
        let spoken = folder.path("voice.wav")
        try Data(voice).write(to: URL(filePath: spoken))
        @Sendable func failing<T>(_ body: () throws -> T) throws(ListenerTagging.Failure) -> T {
            do { return try body() } catch { throw .refused("\(error)") }
        }
        return ListenerTagging(
            prepare: { (_, _, _) async throws(ListenerTagging.Failure) in
                let slots = TagSlots(beats: [], loudestSecond: 5, length: 38, voice: 1)
                return ListenerTagging.Ground(slots: slots, common: TagPlan(slots, seed: 5), voice: voice)
            },
            make: { (order) async throws(ListenerTagging.Failure) in
                _ = try failing {
                    try makePreview(
                        of: ClipSource(path: order.master, name: "the master", sha256: ""),
                        PreviewWishes(title: order.title, artist: order.person, places: order.places),
                        voice: ClipSource(path: spoken, name: "the voice", sha256: ""), to: .file(order.goal))
                }
            },
            hear: { (copy, master, _) async throws(ListenerTagging.Failure) in
                try failing {
                    TaggedLeak(
                        try TaggedLeak.samples(of: copy, name: "the copy"),
                        of: try TaggedLeak.samples(of: master, name: "the master"),
                        voice: try TaggedLeak.samples(of: spoken, name: "the voice"))
                }
            })
    }

    /// Half a minute of a preview, at 64 kbps.
    private func cut(_ path: String, _ folder: TemporaryFolder) throws -> [UInt8] {
        let goal = folder.path("\(HubID().text).mp3")
        let made = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-ss", "3.7", "-t", "30", "-i", path, "-b:a", "64k", goal])
        #expect(made.status == 0, "\(made.errors)")
        return [UInt8](try Data(contentsOf: URL(filePath: goal)))
    }

    @Test func `a part of a preview, coded again, names the one of two listeners whose it was`() async throws {
        let (folder, beats) = (try TemporaryFolder(), try await BeatCast())
        try Signal.speech(Self.format, seconds: 1).writeWav(to: folder.path("said.wav"))
        let voice = [UInt8](try Data(contentsOf: URL(filePath: folder.path("said.wav"))))
        let tagging = try tagging(voice, folder)
        let track = try await beats.offer("Rain", by: beats.pia)
        let master = beats.library.master(try #require(try await beats.track(track, for: .member(beats.pia)).master))
        try FileManager.default.removeItem(atPath: master)
        try Self.track(seed: 1).writeWav(to: master)
        let store = beats.tracks
        try await store.setTag(true, of: track, by: beats.pia)
        #expect(try await store.prepareNextTag(by: tagging))
        var copies: [[UInt8]] = []
        for account in [beats.uma, beats.ari] {
            try await store.askForOwnPreview(of: track, for: account)
            #expect(try await store.makeNextOwnPreview(by: tagging))
            guard case .ready(let file) = try await store.ownPreview(of: track, for: account) else {
                throw Unexpected()
            }
            copies.append(try cut(file.path, folder))
        }
        #expect(copies[0] != copies[1])
        for (copy, account) in zip(copies, [beats.uma, beats.ari]) {
            let found = try await store.owner(ofCopy: SentFile(copy), of: track, by: beats.pia, tagging: tagging)
            guard case .listener(let person) = found.owner else {
                Issue.record("\(found)")
                continue
            }
            #expect(person.id == account && found.agreeing > 0 && abs(found.speed - 1) < 0.001, "\(found)")
            #expect(abs((found.part?.lowerBound ?? 0) - 3.7) < 0.1, "\(found)")
        }
        // What visitors hear names nobody, and neither does what was not fetched here.
        let slots = TagSlots(beats: [], loudestSecond: 5, length: 38, voice: 1)
        for (seed, owner) in [(5, CopyFindings.Owner.everybody), (6, .unknown)] {
            let path = folder.path("common\(seed).mp3")
            _ = try makePreview(
                of: ClipSource(path: master, name: "the master", sha256: ""),
                PreviewWishes(places: TagPlan(slots, seed: UInt64(seed)).places),
                voice: ClipSource(path: folder.path("voice.wav"), name: "the voice", sha256: ""), to: .file(path))
            let found = try await store.owner(
                ofCopy: SentFile(try cut(path, folder)), of: track, by: beats.pia, tagging: tagging)
            #expect(found.owner == owner, "\(found)")
        }
        let other = folder.path("other.wav")
        try Self.track(seed: 2).writeWav(to: other)
        let found = try await store.owner(
            ofCopy: SentFile(try cut(other, folder)), of: track, by: beats.pia, tagging: tagging)
        #expect(found.owner == .otherTrack, "\(found)")
    }
}
