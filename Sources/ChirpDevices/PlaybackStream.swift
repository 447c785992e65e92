internal import ChirpAudio
internal import CPulse

/// The shared half of a ``SpeakerWriter``: the writer fills the queue, this side feeds it to the server.
///
/// The queue keeps frames until they have been heard, not just sent. When the server dies in the middle, what it had taken
/// but not played is sent again from there.
///
/// Proof of `@unchecked`: mutable properties are touched only with the connection's lock held; the rest are constants.
/// ``close()`` ends all callbacks before the last reference goes.
final class PlaybackStream: @unchecked Sendable {
    let connection: PulseConnection
    let format: AudioFormat
    let wanted: DeviceName
    let label: String
    private let titles: PlaybackTitles
    private let settings: DeviceSettings

    private(set) var paused = false
    private(set) var skipped = false
    private var queue: FrameQueue
    /// The number of the next frame to hand to the server.
    private var sent = 0
    /// The number of the frame with which the present stream began.
    private var origin = 0
    private var stream: PulseStreamHandle?
    private var drain: PulseOperationHandle?
    private var drained = false
    private var reconnection: Reconnection
    private var nextAttempt: ContinuousClock.Instant?
    private var suspendedSince: ContinuousClock.Instant?
    private var progress: ContinuousClock.Instant
    private var events: [DeviceEvent] = []
    private var counts = PlaybackStatistics()

    init(
        connection: PulseConnection, device: AudioDevice, wanted: DeviceName, format: AudioFormat,
        titles: PlaybackTitles, settings: DeviceSettings
    ) {
        self.connection = connection
        self.wanted = wanted
        self.format = format
        self.titles = titles
        self.settings = settings
        label = device.name
        // What the server holds, sink included, with room to spare; a sink's own buffer may hold up to two seconds.
        let held = settings.latency * 2 + .milliseconds(2500)
        queue = FrameQueue(channels: format.channels, capacity: max(1, format.frames(in: held)))
        reconnection = Reconnection(policy: settings.retry, patience: settings.patience)
        progress = .now
    }

    // MARK: From any thread

    func setPaused(_ wish: Bool) {
        connection.locked {
            paused = wish
            progress = .now
            applyPause()
            connection.signal()
        }
    }

    func skip() {
        connection.locked {
            skipped = true
            if let raw = rawStream {
                drain = nil
                release(pa_stream_flush(raw, nil, nil))
                release(pa_stream_cork(raw, 1, nil, nil))
            }
            queue.discard(before: queue.end)
            sent = queue.end
            connection.signal()
        }
    }

    func statistics() -> PlaybackStatistics {
        connection.locked {
            followHearing()
            return counts
        }
    }

    func close() {
        connection.locked { dropStream() }
        connection.close()
    }

    func takeEvents() -> [DeviceEvent] {
        connection.locked {
            defer { events.removeAll() }
            return events
        }
    }

    // MARK: From the writer's thread

    /// Takes frames of the block from `offset` on; waits a heartbeat when there is no room.
    ///
    /// - Returns: how many frames it took, which may be none.
    func step(_ block: borrowing AudioBlock, from offset: Int) throws(DeviceError) -> Int {
        connection.lock()
        defer { connection.unlock() }
        if connection.isCancelled { throw .cancelled }
        if skipped { return block.frames - offset }
        let taken = queue.append(block, from: offset)
        counts.writtenFrames += taken
        guard isFlowing else {
            try getBack()
            return taken
        }
        pump()
        if taken == 0 {
            try watchForStall()
            connection.wait()
        }
        return taken
    }

    /// One step towards the last frame being heard.
    ///
    /// - Returns: whether it has been.
    func finishStep() throws(DeviceError) -> Bool {
        connection.lock()
        defer { connection.unlock() }
        if connection.isCancelled { throw .cancelled }
        if skipped || queue.end == 0 { return true }
        guard isFlowing, let raw = rawStream else {
            try getBack()
            return false
        }
        pump()
        if drained {
            counts.heardFrames = queue.end
            return true
        }
        if sent == queue.end, drain == nil {
            drain = PulseOperationHandle(
                pa_stream_drain(raw, playbackDrained, Unmanaged.passUnretained(self).toOpaque()))
        }
        try watchForStall()
        connection.wait()
        return false
    }

    /// Opens the stream and waits until it takes samples. The connection is ready. Lock held.
    func open(device name: String) throws(DeviceError) {
        guard let context = connection.ready else {
            throw .noServer(address: settings.server, reason: connection.reason)
        }
        let properties = PulseProperties()
        properties.set(PA_PROP_MEDIA_ROLE, titles.role)
        properties.set(PA_PROP_MEDIA_NAME, titles.name)
        properties.set(PA_PROP_MEDIA_TITLE, titles.title)
        properties.set(PA_PROP_MEDIA_ARTIST, titles.artist)
        let fresh = try PulseStreamHandle(
            context: context, name: titles.name, sampleRate: format.sampleRate, channels: format.channels,
            properties: properties)
        let raw = fresh.raw
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(raw, playbackChanged, pointer)
        pa_stream_set_suspended_callback(raw, playbackChanged, pointer)
        pa_stream_set_write_callback(raw, playbackWanted, pointer)
        pa_stream_set_underflow_callback(raw, playbackRanDry, pointer)
        stream = consume fresh
        drain = nil
        drained = false
        // Before connecting: the server's first wish arrives together with its readiness.
        origin = counts.heardFrames
        sent = counts.heardFrames
        let target = UInt32(clamping: format.frames(in: settings.latency) * frameBytes)
        // Sound begins when 40 ms are there: a clip shorter than that begins by the drain at its end.
        let prebuffer = UInt32(clamping: format.frames(in: min(settings.latency, .milliseconds(40))) * frameBytes)
        var attributes = pa_buffer_attr(
            maxlength: .max, tlength: target, prebuf: prebuffer, minreq: .max, fragsize: .max)
        let flags = pa_stream_flags_t(
            PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
                | PA_STREAM_INTERPOLATE_TIMING.rawValue | (paused ? PA_STREAM_START_CORKED.rawValue : 0))
        let status = pa_stream_connect_playback(raw, name, &attributes, flags, nil, nil)
        guard status >= 0 else { throw .refused(device: name, reason: pulseReason(pa_context_errno(context))) }
        while true {
            switch pa_stream_get_state(raw) {
            case PA_STREAM_READY:
                progress = .now
                applyPause()
                return
            case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
                let reason = pulseReason(pa_context_errno(context))
                stream = nil
                throw .refused(device: name, reason: reason)
            default: break
            }
            if connection.isCancelled { throw .cancelled }
            guard connection.ready != nil else {
                throw .noServer(address: settings.server, reason: connection.reason)
            }
            connection.wait()
        }
    }

    /// Ends the stream and its callbacks. Lock held.
    func dropStream() {
        drain = nil
        stream = nil
    }

    // MARK: Lock held

    private var isFlowing: Bool {
        guard connection.ready != nil, let raw = rawStream else { return false }
        return pa_stream_get_state(raw) == PA_STREAM_READY
    }

    /// Hands to the server what it wants, and forgets what has been heard.
    fileprivate func pump() {
        guard let raw = rawStream, pa_stream_get_state(raw) == PA_STREAM_READY, !skipped else { return }
        followHearing()
        while sent < queue.end {
            let writable = pa_stream_writable_size(raw)
            guard writable != .max, writable >= frameBytes else { return }
            let run = queue.run(from: sent, limit: writable / frameBytes)
            let bytes = run.count * MemoryLayout<Float>.size
            if sent == counts.heardFrames { progress = .now }
            guard bytes > 0, pa_stream_write(raw, run.baseAddress, bytes, nil, 0, PA_SEEK_RELATIVE) >= 0 else { return }
            if counts.firstWrite == nil { counts.firstWrite = .now }
            sent += run.count / format.channels
        }
    }

    /// Learns from the server how far the listener is. Positions never go back, and never beyond what was sent.
    private func followHearing() {
        guard let raw = rawStream, pa_stream_get_state(raw) == PA_STREAM_READY, !skipped else { return }
        var microseconds: pa_usec_t = 0
        if pa_stream_get_time(raw, &microseconds) >= 0 {
            let played = Int(Double(microseconds) * 1e-6 * Double(format.sampleRate))
            let heard = min(max(counts.heardFrames, origin + played), sent)
            if heard > counts.heardFrames { progress = .now }
            counts.heardFrames = heard
            queue.discard(before: heard)
        }
        var negative: Int32 = 0
        if pa_stream_get_latency(raw, &microseconds, &negative) >= 0, negative == 0 {
            counts.latency = .microseconds(Int64(clamping: microseconds))
        }
    }

    private func applyPause() {
        guard let raw = rawStream, pa_stream_get_state(raw) == PA_STREAM_READY else { return }
        release(pa_stream_cork(raw, paused ? 1 : 0, nil, nil))
    }

    private func release(_ operation: OpaquePointer?) {
        if let operation { pa_operation_unref(operation) }
    }

    private func watchForStall() throws(DeviceError) {
        guard let raw = rawStream else { return }
        let now = ContinuousClock.now
        if pa_stream_is_suspended(raw) == 1 {
            if suspendedSince == nil {
                suspendedSince = now
                events.append(.suspended(device: label))
            }
        } else if suspendedSince != nil {
            suspendedSince = nil
            progress = now
            events.append(.resumed(device: label))
        }
        guard !paused else { return }
        if let since = suspendedSince, now - since > settings.patience { throw .suspended(device: label) }
        if suspendedSince == nil, now - progress > settings.patience {
            throw .lost(device: label, reason: "it takes no samples")
        }
    }

    /// One attempt to get the device back, or a wait for the next.
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
            dropStream()
            if connection.ready == nil { _ = try connection.connect() }
            let list = try DeviceList.load(over: connection)
            try open(device: wanted.resolved(among: list.devices, direction: .output).name)
            counts.reconnections += 1
            events.append(.back(device: label, after: reconnection.succeeded(at: .now)))
            nextAttempt = nil
            pump()
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

    // MARK: On the loop's thread, lock held

    fileprivate func changed() {
        connection.signal()
    }

    fileprivate func wanted(_ bytes: Int) {
        pump()
        connection.signal()
    }

    fileprivate func ranDry() {
        // After the last frame has been sent, running dry is the end and no fault.
        guard drain == nil, !skipped, !paused, counts.firstWrite != nil else { return }
        counts.underRuns += 1
        events.append(.underRun)
    }

    fileprivate func drainAnswered(_ success: Bool) {
        if success { drained = true }
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

private func playback(_ pointer: UnsafeMutableRawPointer?) -> PlaybackStream? {
    pointer.map { Unmanaged<PlaybackStream>.fromOpaque($0).takeUnretainedValue() }
}

private func playbackChanged(_ stream: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?) {
    playback(pointer)?.changed()
}

private func playbackWanted(_ stream: OpaquePointer?, _ bytes: Int, _ pointer: UnsafeMutableRawPointer?) {
    playback(pointer)?.wanted(bytes)
}

private func playbackRanDry(_ stream: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?) {
    playback(pointer)?.ranDry()
}

private func playbackDrained(_ stream: OpaquePointer?, _ success: Int32, _ pointer: UnsafeMutableRawPointer?) {
    playback(pointer)?.drainAnswered(success != 0)
}
