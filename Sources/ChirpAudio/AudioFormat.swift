/// The shape of a signal: how many frames a second, how many samples a frame.
public struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
    /// Frames per second in hertz, 1 or more. What a reader accepts is narrower; see its limits.
    public let sampleRate: Int
    /// Samples per frame, 1 or more. Inside Chirp 1 (mono) or 2 (left, right).
    public let channels: Int

    public init(sampleRate: Int, channels: Int) {
        precondition(sampleRate > 0 && channels > 0)
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// The time that many frames last, in seconds.
    public func seconds(ofFrames frames: Int) -> Double { Double(frames) / Double(sampleRate) }

    /// The number of whole frames nearest to a time.
    public func frames(in duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * sampleRate + Int((Double(attoseconds) * 1e-18 * Double(sampleRate)).rounded())
    }

    public var description: String {
        "\(sampleRate) Hz, \(channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels")"
    }
}
