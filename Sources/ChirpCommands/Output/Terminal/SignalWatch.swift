internal import ChirpCore
internal import Dispatch
internal import Glibc
internal import Synchronization

/// INT and TERM of this process, from the first command that wants to know until the end.
///
/// Signals belong to the process, and so does this one object: a Dispatch source that is cancelled takes the next source for
/// the same signal with it on Linux (libdispatch of Swift 6.3: its signal is then in no `signalfd` any more), so the sources
/// are made once and only what they do changes.
final class SignalWatch: Sendable {
    static let shared = SignalWatch()

    private struct State {
        var count = 0
        var first: (@Sendable () -> Void)?
        var atOnce: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    /// Proof of `unsafe`: written by `init` alone, and kept only so that they live.
    private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

    private init() {
        sources = [SIGINT, SIGTERM].map { number in
            // The source sees the signal although its default action is off.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
            source.setEventHandler { [unowned self] in arrived() }
            source.activate()
            return source
        }
    }

    /// From now on the first signal does this, and a second one ends the process.
    ///
    /// - Parameter atOnce: what must still be done then.
    func begin(atOnce: @escaping @Sendable () -> Void, _ first: @escaping @Sendable () -> Void) {
        state.withLock { $0 = State(count: 0, first: first, atOnce: atOnce) }
    }

    /// Whether a signal came since ``begin(atOnce:_:)``.
    var hasCome: Bool { state.withLock { $0.count > 0 } }

    /// Nothing can be interrupted any more: from now on a signal ends the process.
    func end() { state.withLock { $0 = State() } }

    private func arrived() {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            state.count += 1
            guard state.count > 1 || state.first == nil else { return state.first }
            let atOnce = state.atOnce
            return {
                atOnce?()
                _exit(ChirpCore.ExitCode.interrupted.rawValue)
            }
        }
        action?()
    }
}
