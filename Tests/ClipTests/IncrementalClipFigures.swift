import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// W-9: figures, not limits; with `CHIRP_LONG_TESTS` in the environment. `CHIRP_FIGURES_FOLDER` chooses the disk.
struct IncrementalClipFigures {
    private static let isWanted = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] != nil

    @Test(.enabled(if: isWanted), arguments: [(Preset.voice, 1), (.music, 2)])
    func `how long a clip takes after 140 s and how much it costs beside them`(preset: Preset, channels: Int) throws {
        let folder = try TemporaryFolder()
        let path =
            ProcessInfo.processInfo.environment["CHIRP_FIGURES_FOLDER"].map { "\($0)/figures.mp3" }
            ?? folder.path("a.mp3")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let format = AudioFormat(sampleRate: 44100, channels: channels)
        let signal = Signal.speech(format, seconds: 138, head: 1, tail: 1).amplified(by: -14)
        var times: [Double] = []
        var cost: [Double] = []
        for _ in 0..<20 {
            let before = clock()
            var clip = try IncrementalClip(
                recordingFormat: format, preset: preset, target: IncrementalTarget(path: path))
            try signal.forEachBlock(of: 1024) { (block) throws(AudioError) in try clip.write(block) }
            cost.append(Double(clock() - before) / Double(CLOCKS_PER_SEC) / 140)
            let begin = ContinuousClock.now
            let outcome = try clip.finish(name: "take")
            times.append((ContinuousClock.now - begin) / .milliseconds(1))
            guard case .made = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        let (low, high) = (times.min() ?? 0, times.max() ?? 0)
        print(
            "\(preset): finish \(median(times)) ms (\(low) to \(high)), beside capture \(median(cost) * 100) % of a core"
        )
    }
}
