import ChirpAudio
import ChirpClips
import ChirpFlows
import ChirpIntake
import ChirpTestKit
import Foundation
import Testing

extension IntakeTests {
    /// W-9: figures, not limits; with `CHIRP_LONG_TESTS` in the environment.
    @Suite struct Figures {
        private static let isWanted = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] != nil

        @Test(.enabled(if: isWanted)) func `what a fleet's lane costs beside making clips in the same process`() throws
        {
            let folder = try TemporaryFolder()
            let format = AudioFormat(sampleRate: 44100, channels: 1)
            try Signal.speech(format, seconds: 30, head: 1, tail: 1).amplified(by: -14)
                .writeWav(to: folder.path("take.wav"))
            let lanes = IntakeLanes(program: BuiltProgram.path)
            let source = ClipSource(path: folder.path("take.wav"), name: "take", sha256: "0")
            let making = Transcoding(request: ClipRequest(source: source, preset: .voice), keepsTags: false)
            var ratios: [Double] = []
            _ = try lanes.make(making, path: folder.path("there.mp3"))
            for _ in 0..<12 {
                var begin = ContinuousClock.now
                for _ in 0..<6 { _ = try making.run(to: folder.path("here.mp3")) }
                let here = ContinuousClock.now - begin
                begin = ContinuousClock.now
                for _ in 0..<6 { _ = try lanes.make(making, path: folder.path("there.mp3")) }
                ratios.append((ContinuousClock.now - begin) / here)
            }
            ratios.sort()
            print("a lane takes \(ratios[ratios.count / 2]) of the time in the process (\(ratios[0]) to \(ratios[11]))")
        }
    }
}
