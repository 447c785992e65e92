public import ChirpAudio

/// Reads what a microphone hears.
///
/// Samples come over PulseAudio's threaded main loop into a bounded queue; reading blocks until a block is full, so it belongs
/// into a job off the cooperative pool. A device or server that goes away is waited for (``DeviceSettings/patience``) and
/// reading goes on; what was captured before is never lost. ``control`` ends or cancels it from elsewhere.
public struct MicrophoneReader: AudioReader, ~Copyable {
    public let format: AudioFormat
    public var length: Int? { nil }
    /// Stops or cancels, from any thread.
    public let control: CaptureControl
    /// What the server calls the device.
    public let device: String
    private let capture: CaptureStream
    private let report: @Sendable (DeviceEvent) -> Void
    private var failure: DeviceError?

    /// Opens a device and starts capturing.
    ///
    /// - Parameters:
    ///   - device: the default input unless named.
    ///   - format: what to deliver, 1 or 2 channels; nil takes the device's own rate (8 to 48 kHz) and up to 2 channels. The
    ///     server converts.
    ///   - report: hears what happens to the device, on the reading thread.
    /// - Throws: ``DeviceError`` with a cure when there is no server, no such device, or no permission.
    public init(
        device: DeviceName = .standard, format: AudioFormat? = nil, settings: DeviceSettings = DeviceSettings(),
        report: @escaping @Sendable (DeviceEvent) -> Void = { _ in }
    ) throws(DeviceError) {
        let capture = try Self.open(device: device, format: format, settings: settings)
        self.capture = capture
        self.format = capture.format
        self.device = capture.label
        self.report = report
        control = CaptureControl(capture: capture)
    }

    deinit { capture.close() }

    /// Waits for the next full block. The block is shorter only before the end.
    ///
    /// - Returns: false after ``CaptureControl/stop()`` when everything captured has been read.
    /// - Throws: ``AudioError/cancelled``, or ``AudioError/inputOutput(path:reason:)`` when the device stayed away. All that
    ///   was captured has been read before.
    public mutating func read(into block: inout AudioBlock) throws(AudioError) -> Bool {
        block.resize(toFrames: block.capacity)
        var filled = 0
        while filled < block.capacity, failure == nil {
            let step: CaptureStream.Step
            do { step = try capture.step(into: &block, at: filled) } catch {
                failure = error
                break
            }
            for event in capture.takeEvents() { report(event) }
            if case .frames(let count) = step { filled += count }
            if step == .ended { break }
        }
        block.resize(toFrames: filled)
        if filled == 0, let failure { throw failure.audioError(device: device) }
        return filled > 0
    }

    private static func open(
        device: DeviceName, format: AudioFormat?, settings: DeviceSettings
    ) throws(DeviceError) -> CaptureStream {
        let connection = try PulseConnection(settings: settings)
        do throws(DeviceError) {
            return try connection.locked { () throws(DeviceError) in
                _ = try connection.connect()
                let list = try DeviceList.load(over: connection)
                let found = try device.resolved(among: list.devices, direction: .input)
                let own = AudioFormat(
                    sampleRate: min(max(found.format.sampleRate, 8000), 48_000), channels: min(found.format.channels, 2)
                )
                let capture = CaptureStream(
                    connection: connection, device: found, wanted: device, format: format ?? own, settings: settings)
                do throws(DeviceError) { try capture.open(device: found.name) } catch {
                    capture.dropStream()
                    throw error
                }
                return capture
            }
        } catch {
            connection.close()
            throw error
        }
    }
}

/// Stops a running capture from another thread or task.
public struct CaptureControl: Sendable {
    let capture: CaptureStream

    /// Ends the capture in good order: what was captured so far is still read, then the reader reports the end.
    public func stop() { capture.stop() }

    /// Gives up: a waiting reader throws ``AudioError/cancelled`` at once.
    public func cancel() { capture.connection.cancel() }
}
