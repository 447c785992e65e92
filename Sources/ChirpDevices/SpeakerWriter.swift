public import ChirpAudio

/// Plays frames on a loudspeaker, in the frames' own format: the server converts.
///
/// Writing blocks when the server has enough, which makes it the clock of the player's job, off the cooperative pool. When
/// the device or the server goes away it is waited for (``DeviceSettings/patience``) and playing goes on at the frame that
/// was heard last. ``control`` pauses, skips and cancels from elsewhere.
public struct SpeakerWriter: AudioWriter, ~Copyable {
    public let format: AudioFormat
    public let control: PlaybackControl
    /// What the server calls the device.
    public let device: String
    private let playback: PlaybackStream
    private let report: @Sendable (DeviceEvent) -> Void

    /// Opens a device.
    ///
    /// - Parameters:
    ///   - format: of the blocks to come, 1 or 2 channels.
    ///   - device: the default output unless named.
    ///   - report: hears what happens to the device, on the writing thread.
    /// - Throws: ``DeviceError`` with a cure when there is no server, no such device, or no permission.
    public init(
        format: AudioFormat, device: DeviceName = .standard, titles: PlaybackTitles = PlaybackTitles(),
        settings: DeviceSettings = DeviceSettings(), report: @escaping @Sendable (DeviceEvent) -> Void = { _ in }
    ) throws(DeviceError) {
        let playback = try Self.open(format: format, device: device, titles: titles, settings: settings)
        self.playback = playback
        self.format = format
        self.device = playback.label
        self.report = report
        control = PlaybackControl(playback: playback)
    }

    deinit { playback.close() }

    /// Queues the block; blocks while the server has enough or playback is paused.
    ///
    /// - Throws: ``AudioError/cancelled``, or ``AudioError/inputOutput(path:reason:)`` when the device stayed away.
    public mutating func write(_ block: borrowing AudioBlock) throws(AudioError) {
        precondition(block.format == format)
        var done = 0
        while done < block.frames {
            do { done += try playback.step(block, from: done) } catch { throw error.audioError(device: device) }
            for event in playback.takeEvents() { report(event) }
        }
    }

    /// Waits until the last frame has been heard, then closes. Dropping the writer instead falls silent at once.
    public consuming func finish() throws(AudioError) {
        var done = false
        while !done {
            do { done = try playback.finishStep() } catch { throw error.audioError(device: device) }
            for event in playback.takeEvents() { report(event) }
        }
    }

    private static func open(
        format: AudioFormat, device: DeviceName, titles: PlaybackTitles, settings: DeviceSettings
    ) throws(DeviceError) -> PlaybackStream {
        let connection = try PulseConnection(settings: settings)
        do throws(DeviceError) {
            return try connection.locked { () throws(DeviceError) in
                _ = try connection.connect()
                let list = try DeviceList.load(over: connection)
                let found = try device.resolved(among: list.devices, direction: .output)
                let playback = PlaybackStream(
                    connection: connection, device: found, wanted: device, format: format, titles: titles,
                    settings: settings)
                do throws(DeviceError) { try playback.open(device: found.name) } catch {
                    playback.dropStream()
                    throw error
                }
                return playback
            }
        } catch {
            connection.close()
            throw error
        }
    }
}

/// How a playback is called in mixers and by policies of the sound server.
public struct PlaybackTitles: Hashable, Sendable {
    /// The stream's name, such as `Clip by @alice`.
    public var name: String
    public var title: String
    public var artist: String
    /// A media role as PulseAudio knows them (`music`, `phone`, `event` ...); decides ducking and routing.
    public var role: String

    public init(name: String = "Clip", title: String = "", artist: String = "", role: String = "music") {
        self.name = name
        self.title = title
        self.artist = artist
        self.role = role
    }
}
