public import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore
public import ChirpDevices
public import ChirpJournal
internal import Glibc

/// Plays clips on the loudspeaker for a ``LiveSession``: evened volume, a chime in front, and a sound server that comes and
/// goes.
public struct LivePlayer: Sendable {
    public var device: DeviceName
    public var settings: DeviceSettings
    /// Announce each clip by two tones.
    public var chimes: Bool

    /// - Parameter patience: how long the loudspeaker may be away before that is an error.
    public init(
        device: DeviceName = .standard, settings: DeviceSettings = DeviceSettings(), chimes: Bool = true,
        patience: Duration = .seconds(600)
    ) {
        self.device = device
        self.settings = settings
        self.settings.patience = patience
        self.chimes = chimes
    }

    /// For ``LivePorts/play``, with a file that this process decodes itself.
    public func play(
        _ clip: PlayRecord, at path: String, started: @escaping @Sendable (PlaybackRemote) -> Void,
        report: @escaping @Sendable (DeviceEvent) -> Void
    ) async throws(AudioError) {
        let name = "the clip by @\(clip.handle)"
        try await play(
            clip, from: { () throws(AudioError) in try AudioFile(opening: path, name: name) }, started: started,
            report: report)
    }

    /// For ``LivePorts/play``.
    ///
    /// - Parameter source: opens the clip; called off the pool.
    public func play<Source: AudioReader & ~Copyable & SendableMetatype>(
        _ clip: PlayRecord, from source: @escaping @Sendable () throws(AudioError) -> Source,
        started: @escaping @Sendable (PlaybackRemote) -> Void, report: @escaping @Sendable (DeviceEvent) -> Void
    ) async throws(AudioError) {
        let player = self
        try await offPool { () throws(AudioError) in
            let reader = try source()
            let writer = try player.open(reader.format, clip, report)
            try player.play(reader, on: writer, gain: Decibels(clip.gainDB ?? 0), started: started)
        }
    }

    /// Opens the loudspeaker; one that is away is waited for.
    private func open(
        _ format: AudioFormat, _ clip: PlayRecord, _ report: @escaping @Sendable (DeviceEvent) -> Void
    ) throws(AudioError) -> SpeakerWriter {
        let titles = PlaybackTitles(name: "Clip by @\(clip.handle)", title: clip.words, artist: clip.authorName)
        var reconnection = Reconnection(policy: settings.retry, patience: settings.patience)
        while true {
            do throws(DeviceError) {
                let writer = try SpeakerWriter(
                    format: format, device: device, titles: titles, settings: settings, report: report)
                if reconnection.isLost {
                    report(.back(device: writer.device, after: reconnection.succeeded(at: .now)))
                }
                return writer
            } catch {
                guard error.mayPass else { throw error.audioError(device: "loudspeaker") }
                if !reconnection.isLost { report(.lost(device: "loudspeaker", reason: error.whatHappened)) }
                guard let delay = reconnection.failed(at: .now, jitter: Double.random(in: 0..<1)) else {
                    throw error.audioError(device: "loudspeaker")
                }
                guard Self.wait(delay) else { throw .cancelled }
            }
        }
    }

    /// Blocks, looking around for cancellation.
    private static func wait(_ time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {
            if Task.isCancelled { return false }
            usleep(20_000)
        }
        return !Task.isCancelled
    }

    private func play<Source: AudioReader & ~Copyable & SendableMetatype>(
        _ source: consuming Source, on writer: consuming SpeakerWriter, gain: Decibels,
        started: (PlaybackRemote) -> Void
    ) throws(AudioError) {
        let (format, control) = (source.format, writer.control)
        // 20 ms pieces, so that a skip is heard at once.
        var block = AudioBlock(format: format, capacity: max(1, format.frames(in: .milliseconds(20))))
        var isStarted = false
        if chimes {
            let chime = Chime.samples(sampleRate: format.sampleRate)
            var position = 0
            while position < chime.count {
                let count = min(block.capacity, chime.count - position)
                block.resize(toFrames: count)
                for channel in 0..<format.channels {
                    block.withMutablePlane(channel) { plane in
                        for index in 0..<count { plane[index] = chime[position + index] }
                    }
                }
                try writer.write(block)
                position += count
                if !isStarted { started(PlaybackRemote(control)) }
                isStarted = true
            }
        }
        let factor = Float(gain.amplitude)
        while !control.isSkipped, try source.read(into: &block) {
            if factor != 1 {
                for channel in 0..<format.channels { block.withMutablePlane(channel) { scale(&$0, by: factor) } }
            }
            try writer.write(block)
            if !isStarted { started(PlaybackRemote(control)) }
            isStarted = true
        }
        try writer.finish()
    }
}
