import ChirpAudio
import ChirpCore
import ChirpDevices
import ChirpFlows
import Synchronization

/// Plays one file, with keys to pause and to end it.
struct FilePlaying: Sendable {
    let path: String
    /// What the user calls it.
    let name: String
    var gain = Decibels.zero
    let titles: PlaybackTitles
    let device: DeviceName
    let console: Console

    /// - Returns: the seconds that were heard.
    func run() async throws -> Double {
        let keyboard = Keyboard()
        defer { keyboard?.close() }
        let (keys, control) = (keyboard?.keys, Box())
        let listener = Task {
            guard let keys else { return }
            for await key in keys { control.take(key) }
        }
        defer { listener.cancel() }
        let job = self
        return try await offPool {
            var format: AudioFormat?
            let statistics = try playClip(
                at: job.path, name: job.name, gain: job.gain, device: job.device, titles: job.titles,
                started: { found, itsFormat in
                    format = itsFormat
                    control.adopt(found)
                },
                report: { event in
                    if let line = event.line { job.console.note(line) }
                })
            return format?.seconds(ofFrames: statistics.heardFrames) ?? 0
        }
    }

    /// The playback that keys act on.
    private final class Box: Sendable {
        private let control = Mutex<PlaybackControl?>(nil)

        func adopt(_ found: PlaybackControl) { control.withLock { $0 = found } }

        func take(_ key: Key) {
            guard let control = control.withLock({ $0 }) else { return }
            switch key {
            case .character(" "): control.isPaused ? control.resume() : control.pause()
            case .character("q"), .enter, .escape: control.skip()
            default: break
            }
        }
    }
}
