internal import ChirpCore
internal import CPulse

/// A threaded main loop with its thread running: `pa_threaded_mainloop`.
///
/// Every call on objects of the loop happens with its lock held; the loop's thread holds it while it runs callbacks.
struct PulseLoopHandle: ~Copyable {
    let raw: OpaquePointer

    init() throws(DeviceError) {
        // Everything else of the library is reached by way of a loop.
        if let failure = chirp_pulse_load() { throw .noLibrary(reason: String(cString: failure)) }
        guard let raw = pa_threaded_mainloop_new() else { throw .library(call: "pa_threaded_mainloop_new", code: 0) }
        pa_threaded_mainloop_set_name(raw, "chirp.sound")
        let status = pa_threaded_mainloop_start(raw)
        guard status >= 0 else {
            pa_threaded_mainloop_free(raw)
            throw .library(call: "pa_threaded_mainloop_start", code: Int(status))
        }
        self.raw = raw
    }

    deinit {
        pa_threaded_mainloop_stop(raw)
        pa_threaded_mainloop_free(raw)
    }
}

/// A connection to a sound server: `pa_context`. Made and released with the loop's lock held.
struct PulseContextHandle: ~Copyable {
    let raw: OpaquePointer

    init(loop: borrowing PulseLoopHandle, application: String) throws(DeviceError) {
        let properties = PulseProperties()
        properties.set(PA_PROP_APPLICATION_NAME, application)
        properties.set(PA_PROP_APPLICATION_ID, "chirp")
        properties.set(PA_PROP_APPLICATION_ICON_NAME, "audio-input-microphone")
        guard
            let raw = pa_context_new_with_proplist(
                pa_threaded_mainloop_get_api(loop.raw), application, properties.raw)
        else { throw .library(call: "pa_context_new", code: 0) }
        self.raw = raw
    }

    deinit {
        pa_context_set_state_callback(raw, nil, nil)
        pa_context_disconnect(raw)
        pa_context_unref(raw)
    }
}

/// A stream of samples: `pa_stream`. Made and released with the loop's lock held.
struct PulseStreamHandle: ~Copyable {
    let raw: OpaquePointer

    /// - Parameters:
    ///   - context: a ready context.
    ///   - name: what mixers show.
    ///   - sampleRate: in hertz; the server converts.
    init(
        context: OpaquePointer, name: String, sampleRate: Int, channels: Int, properties: borrowing PulseProperties
    ) throws(DeviceError) {
        var sample = pa_sample_spec(
            format: PA_SAMPLE_FLOAT32LE, rate: UInt32(clamping: sampleRate), channels: UInt8(clamping: channels))
        guard pa_sample_spec_valid(&sample) != 0,
            let raw = pa_stream_new_with_proplist(context, name, &sample, nil, properties.raw)
        else { throw .library(call: "pa_stream_new", code: Int(pa_context_errno(context))) }
        self.raw = raw
    }

    deinit {
        pa_stream_set_state_callback(raw, nil, nil)
        pa_stream_set_read_callback(raw, nil, nil)
        pa_stream_set_write_callback(raw, nil, nil)
        pa_stream_set_underflow_callback(raw, nil, nil)
        pa_stream_set_started_callback(raw, nil, nil)
        pa_stream_set_suspended_callback(raw, nil, nil)
        pa_stream_disconnect(raw)
        pa_stream_unref(raw)
    }
}

/// What is asked of the server and not yet answered: `pa_operation`. Released with the loop's lock held; its callback does
/// not come any more then.
struct PulseOperationHandle: ~Copyable {
    let raw: OpaquePointer

    init?(_ raw: OpaquePointer?) {
        guard let raw else { return nil }
        self.raw = raw
    }

    var isRunning: Bool { pa_operation_get_state(raw) == PA_OPERATION_RUNNING }

    deinit {
        if pa_operation_get_state(raw) == PA_OPERATION_RUNNING { pa_operation_cancel(raw) }
        pa_operation_unref(raw)
    }
}

/// Names and roles for mixers: `pa_proplist`.
struct PulseProperties: ~Copyable {
    let raw: OpaquePointer?

    init() { raw = pa_proplist_new() }

    /// Sets a property to plain text; what cannot be set is left out, since these are courtesies.
    func set(_ key: String, _ value: String) {
        guard let raw, !value.isEmpty else { return }
        pa_proplist_sets(raw, key, PlainText(value, limit: 200).value)
    }

    deinit { if let raw { pa_proplist_free(raw) } }
}

/// The library's words for its latest error.
func pulseReason(_ code: Int32) -> String {
    guard code != 0, let text = pa_strerror(code) else { return "no reason given" }
    return String(cString: text)
}
