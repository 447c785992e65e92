import ChirpAudio
import ChirpCodecs
import ChirpCommands
import ChirpCore
import ChirpDevices
import ChirpFlows
import ChirpIntake
import Synchronization

/// Plays one file, with keys to pause and to end it.
struct FilePlaying: Sendable {
    let path: String
    /// Decodes it when a stranger made it; nil for the user's own.
    var intake: Intake?
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
            if let intake = job.intake {
                return try job.play(intake.reader(of: job.path, name: job.name, longest: Self.longest), control)
            }
            return try job.play(AudioFile(opening: job.path, name: job.name), control)
        }
    }

    /// No clip that is kept is longer.
    private static let longest = Duration.seconds(24 * 3600)

    private func play<Source: AudioReader & ~Copyable>(_ source: consuming Source, _ control: Box) throws -> Double {
        let format = source.format
        let statistics = try playClip(
            source, gain: gain, device: device, titles: titles, started: { found, _ in control.adopt(found) },
            report: { event in
                if let line = event.line { console.note(line) }
            })
        return format.seconds(ofFrames: statistics.heardFrames)
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
