public import ChirpAudio

/// A microphone or loudspeaker as the sound server lists it.
public struct AudioDevice: Hashable, Sendable {
    public enum Direction: String, Hashable, Sendable {
        case input, output
    }

    public enum State: String, Hashable, Sendable {
        /// Samples flow.
        case running
        /// Ready, nobody uses it.
        case idle
        /// Asleep. Opening it wakes it, unless it was put to sleep by hand.
        case suspended
        case unknown
    }

    /// The server's name for it: unique, lasting, what `--device` takes.
    public let name: String
    /// What people call it.
    public let label: String
    public let direction: Direction
    /// An input that gives what an output plays.
    public let isMonitor: Bool
    public let isDefault: Bool
    public let state: State
    /// Its own rate and channel count; the server converts from and to others.
    public let format: AudioFormat

    public init(
        name: String, label: String, direction: Direction, isMonitor: Bool = false, isDefault: Bool = false,
        state: State = .unknown, format: AudioFormat
    ) {
        self.name = name
        self.label = label
        self.direction = direction
        self.isMonitor = isMonitor
        self.isDefault = isDefault
        self.state = state
        self.format = format
    }
}
