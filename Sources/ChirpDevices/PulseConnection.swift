internal import CPulse
internal import Glibc
internal import Synchronization

/// A main loop, the connection on it, and how threads wait for both.
///
/// Whoever made it calls ``close()`` before the last reference goes: callbacks hold no reference, so they must have ended.
/// Proof of `@unchecked`: the mutable properties are touched only with the loop's lock held; the others are constants or
/// atomics. The lock is recursive for nobody: methods that need it held say so.
final class PulseConnection: @unchecked Sendable {
    /// How often waiting threads look around: for cancellation, time limits, positions.
    static let heartbeatMilliseconds = 50

    private let loop: PulseLoopHandle
    private let settings: DeviceSettings
    private let cancelled = Atomic<Bool>(false)
    private var context: PulseContextHandle?
    private var heartbeat: OpaquePointer?

    init(settings: DeviceSettings) throws(DeviceError) {
        self.settings = settings
        loop = try PulseLoopHandle()
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        locked {
            guard let api = pa_threaded_mainloop_get_api(loop.raw) else { return }
            var due = timeval()
            nextHeartbeat(&due)
            heartbeat = api.pointee.time_new(api, &due, heartbeatDue, pointer)
        }
    }

    /// Ends the connection and all callbacks. Afterwards only ``cancel()`` and ``wake()`` may be called.
    func close() {
        locked {
            context = nil
            if let heartbeat, let api = pa_threaded_mainloop_get_api(loop.raw) { api.pointee.time_free(heartbeat) }
            heartbeat = nil
        }
    }

    /// Makes every present and future wait end with ``DeviceError/cancelled``.
    func cancel() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        wake()
    }

    /// Whether the user or the task has given up.
    var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) || Task.isCancelled }

    /// Makes every waiting thread look at its condition again. Not from callbacks, which hold the lock.
    func wake() { locked { signal() } }

    /// Takes the loop's lock; every call is followed by ``unlock()``. Not from callbacks.
    func lock() { pa_threaded_mainloop_lock(loop.raw) }

    func unlock() { pa_threaded_mainloop_unlock(loop.raw) }

    /// Runs with the loop's lock held. Not from callbacks.
    func locked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Wakes waiting threads. Lock held.
    func signal() { pa_threaded_mainloop_signal(loop.raw, 0) }

    /// Waits for a signal, at most one heartbeat long. Lock held, not from callbacks.
    func wait() { pa_threaded_mainloop_wait(loop.raw) }

    /// The context when it is ready to use. Lock held.
    var ready: OpaquePointer? {
        guard let raw = rawContext, pa_context_get_state(raw) == PA_CONTEXT_READY else { return nil }
        return raw
    }

    /// Why the connection is not ready. Lock held.
    var reason: String { rawContext.map { pulseReason(pa_context_errno($0)) } ?? "not connected" }

    /// Connects afresh and waits until the server has answered, 10 s at most. Lock held, not from callbacks.
    ///
    /// - Throws: ``DeviceError/noServer(address:reason:)`` or ``DeviceError/cancelled``.
    func connect() throws(DeviceError) -> OpaquePointer {
        context = nil
        let fresh = try PulseContextHandle(loop: loop, application: settings.application)
        let raw = fresh.raw
        context = consume fresh
        pa_context_set_state_callback(raw, contextChanged, Unmanaged.passUnretained(self).toOpaque())
        let status =
            if let server = settings.server {
                pa_context_connect(raw, server, PA_CONTEXT_NOAUTOSPAWN, nil)
            } else {
                pa_context_connect(raw, nil, settings.startsServer ? PA_CONTEXT_NOFLAGS : PA_CONTEXT_NOAUTOSPAWN, nil)
            }
        let deadline = ContinuousClock.now + .seconds(10)
        while status >= 0 {
            switch pa_context_get_state(raw) {
            case PA_CONTEXT_READY: return raw
            case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: throw unanswered()
            default: break
            }
            if isCancelled { throw .cancelled }
            if ContinuousClock.now > deadline { throw .noServer(address: settings.server, reason: "no answer in 10 s") }
            wait()
        }
        throw unanswered()
    }

    /// Waits until an operation is done. Lock held, not from callbacks.
    ///
    /// - Throws: when the connection breaks or the user gives up.
    func finish(_ operation: borrowing PulseOperationHandle) throws(DeviceError) {
        while operation.isRunning {
            if isCancelled { throw .cancelled }
            guard ready != nil else { throw unanswered() }
            wait()
        }
    }

    /// Called on the loop's thread, lock held.
    fileprivate func beat(_ event: OpaquePointer?) {
        signal()
        guard let event, let api = pa_threaded_mainloop_get_api(loop.raw) else { return }
        var due = timeval()
        nextHeartbeat(&due)
        api.pointee.time_restart(event, &due)
    }

    private func nextHeartbeat(_ due: inout timeval) {
        pa_gettimeofday(&due)
        pa_timeval_add(&due, UInt64(Self.heartbeatMilliseconds * 1000))
    }

    private func unanswered() -> DeviceError { .noServer(address: settings.server, reason: reason) }

    private var rawContext: OpaquePointer? {
        switch context {
        case .some(let handle): handle.raw
        case .none: nil
        }
    }
}

private func contextChanged(_ context: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    Unmanaged<PulseConnection>.fromOpaque(pointer).takeUnretainedValue().signal()
}

private func heartbeatDue(
    _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ event: OpaquePointer?, _ due: UnsafePointer<timeval>?,
    _ pointer: UnsafeMutableRawPointer?
) {
    guard let pointer else { return }
    Unmanaged<PulseConnection>.fromOpaque(pointer).takeUnretainedValue().beat(event)
}
