import ChirpDevices
import Synchronization

/// Stops a recording from a key or a signal, also when it has not begun yet.
final class StopButton: Sendable {
    private struct State {
        var isPressed = false
        var control: CaptureControl?
    }

    private let state = Mutex(State())

    func press() {
        let control = state.withLock { state in
            state.isPressed = true
            return state.control
        }
        control?.stop()
    }

    /// The recording has begun.
    func adopt(_ control: CaptureControl) {
        let isPressed = state.withLock { state in
            state.control = control
            return state.isPressed
        }
        if isPressed { control.stop() }
    }
}
