internal import ChirpAudio
internal import CPulse
internal import Synchronization

/// The shared half of a ``MicrophoneReader``: the device's thread fills the queue, the reader empties it.
///
/// Proof of `@unchecked`: mutable properties are touched only with the connection's lock held; the rest are constants or
/// atomics. ``close()`` ends all callbacks before the last reference goes.
final class CaptureStream: @unchecked Sendable {
    /// What one look at the queue brought.
    enum Step: Equatable {
        /// So many frames were put into the block.
        case frames(Int)
        /// Nothing yet; look again.
        case nothing
        /// Stopped, and everything captured has been read.
        case ended
    }

    let connection: PulseConnection
    let format: AudioFormat
    /// The device as the user named it and as the server called it first.
    let wanted: DeviceName
    let label: String
    private let settings: DeviceSettings
    private let stopped = Atomic<Bool>(false)

    private var queue: FrameQueue
    private var stream: PulseStreamHandle?
    private var reconnection: Reconnection
    private var nextAttempt: ContinuousClock.Instant?
    private var suspendedSince: ContinuousClock.Instant?
    private var lastData: ContinuousClock.Instant
    private var events: [DeviceEvent] = []
    private var overrun = 0

    init(
        connection: PulseConnection, device: AudioDevice, wanted: DeviceName, format: AudioFormat,
        settings: DeviceSettings
    ) {
        self.connection = connection
        self.wanted = wanted
        self.format = format
        self.settings = settings
        label = device.name
        queue = FrameQueue(channels: format.channels, capacity: max(1, format.frames(in: settings.captureBuffer)))
        reconnection = Reconnection(policy: settings.retry, patience: settings.patience)
        lastData = .now
        if device.isMonitor, wanted == .standard { events.append(.usingMonitor(device: device.name)) }
    }

    /// Ends the capture; what is in the queue can still be read.
    func stop() {
        stopped.store(true, ordering: .sequentiallyConsistent)
        connection.wake()
    }

    func close() {
        connection.locked { dropStream() }
        connection.close()
    }

    /// Ends the stream and its callbacks. Lock held.
    func dropStream() { stream = nil }

    /// Events since the last call.
    func takeEvents() -> [DeviceEvent] {
        connection.locked {
            if overrun > 0 {
                events.append(.overrun(frames: overrun))
                overrun = 0
            }
            defer { events.removeAll() }
            return events
        }
    }

    /// Opens the stream and waits until samples flow. The connection is ready. Lock held.
    func open(device name: String) throws(DeviceError) {
        guard let context = connection.ready else {
            throw .noServer(address: settings.server, reason: connection.reason)
        }
        let properties = PulseProperties()
        properties.set(PA_PROP_MEDIA_ROLE, "production")
        properties.set(PA_PROP_MEDIA_NAME, "Recording")
        let fresh = try PulseStreamHandle(
            context: context, name: "Recording", sampleRate: format.sampleRate, channels: format.channels,
            properties: properties)
        let raw = fresh.raw
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(raw, captureChanged, pointer)
        pa_stream_set_suspended_callback(raw, captureChanged, pointer)
        pa_stream_set_read_callback(raw, captureArrived, pointer)
        stream = consume fresh
        // 20 ms pieces: the level meter moves smoothly, and a stop loses no more than that.
        let piece = UInt32(clamping: format.frames(in: .milliseconds(20)) * frameBytes)
        var attributes = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: piece)
        let flags = pa_stream_flags_t(PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue)
        let status = pa_stream_connect_record(raw, name, &attributes, flags)
        guard status >= 0 else { throw .refused(device: name, reason: pulseReason(pa_context_errno(context))) }
        while true {
            switch pa_stream_get_state(raw) {
            case PA_STREAM_READY:
                lastData = .now
                return
            case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
                let reason = pulseReason(pa_context_errno(context))
                stream = nil
                throw .refused(device: name, reason: reason)
            default: break
            }
            if connection.isCancelled { throw .cancelled }
            if stopped.load(ordering: .sequentiallyConsistent) { return }
            guard connection.ready != nil else {
                throw .noServer(address: settings.server, reason: connection.reason)
            }
            connection.wait()
        }
    }

    /// One look at the queue, waiting a heartbeat at most (longer only while a reconnection is being answered).
    func step(into block: inout AudioBlock, at offset: Int) throws(DeviceError) -> Step {
        connection.lock()
        defer { connection.unlock() }
        if connection.isCancelled { throw .cancelled }
        if queue.count > 0 { return .frames(queue.take(into: &block, at: offset)) }
        if stopped.load(ordering: .sequentiallyConsistent) { return .ended }
        if isFlowing {
            try watchForSilence()
            connection.wait()
            return .nothing
        }
        try getBack()
        return .nothing
    }

    /// Whether stream and connection are up. Lock held.
    private var isFlowing: Bool {
        guard connection.ready != nil, let raw = rawStream else { return false }
        return pa_stream_get_state(raw) == PA_STREAM_READY
    }

    /// Notes suspension and gives up when it lasts. Lock held.
    private func watchForSilence() throws(DeviceError) {
        guard let raw = rawStream else { return }
        let now = ContinuousClock.now
        if pa_stream_is_suspended(raw) == 1 {
            if suspendedSince == nil {
                suspendedSince = now
                events.append(.suspended(device: label))
            }
            if let since = suspendedSince, now - since > settings.patience { throw .suspended(device: label) }
        } else if suspendedSince != nil {
            suspendedSince = nil
            lastData = now
            events.append(.resumed(device: label))
        } else if now - lastData > settings.patience {
            throw .lost(device: label, reason: "no samples for \(settings.patience)")
        }
    }

    /// One attempt to get the device back, or a wait for the next. Lock held.
    private func getBack() throws(DeviceError) {
        let now = ContinuousClock.now
        if !reconnection.isLost {
            reconnection.lost(at: now)
            let reason = connection.ready == nil ? connection.reason : "the stream ended"
            events.append(.lost(device: label, reason: reason))
            nextAttempt = now
            return
        }
        if let nextAttempt, now < nextAttempt {
            connection.wait()
            return
        }
        do {
            stream = nil
            if connection.ready == nil { _ = try connection.connect() }
            let list = try DeviceList.load(over: connection)
            try open(device: wanted.resolved(among: list.devices, direction: .input).name)
            events.append(.back(device: label, after: reconnection.succeeded(at: .now)))
            nextAttempt = nil
        } catch .cancelled {
            throw .cancelled
        } catch {
            let now = ContinuousClock.now
            guard let delay = reconnection.failed(at: now, jitter: Double.random(in: 0..<1)) else {
                throw .lost(device: label, reason: error.whatHappened)
            }
            nextAttempt = now + delay
        }
    }

    /// Moves what the server sent into the queue. On the loop's thread, lock held.
    fileprivate func arrived() {
        guard let raw = rawStream else { return }
        while pa_stream_readable_size(raw) > 0 {
            var data: UnsafeRawPointer?
            var bytes = 0
            guard pa_stream_peek(raw, &data, &bytes) >= 0, bytes > 0 else { break }
            let frames = bytes / frameBytes
            if let data {
                let samples = UnsafeBufferPointer(
                    start: data.assumingMemoryBound(to: Float.self), count: frames * format.channels)
                overrun += frames - queue.append(interleaved: samples)
            } else {
                // A hole: the server had nothing for this time.
                overrun += frames
            }
            pa_stream_drop(raw)
        }
        lastData = .now
        connection.signal()
    }

    private var frameBytes: Int { MemoryLayout<Float>.size * format.channels }

    private var rawStream: OpaquePointer? {
        switch stream {
        case .some(let handle): handle.raw
        case .none: nil
        }
    }
}

private func captureChanged(_ stream: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    Unmanaged<CaptureStream>.fromOpaque(pointer).takeUnretainedValue().connection.signal()
}

private func captureArrived(_ stream: OpaquePointer?, _ bytes: Int, _ pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    Unmanaged<CaptureStream>.fromOpaque(pointer).takeUnretainedValue().arrived()
}
