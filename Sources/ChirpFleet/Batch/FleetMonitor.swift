internal import Synchronization

/// Which workers are alive: those that have given a sign in the last few seconds.
final class FleetMonitor: Sendable {
    private struct State: ~Copyable {
        let signs: NatsSubscriptionHandle
        var heard: [String: ContinuousClock.Instant] = [:]
    }

    /// Three missed signs and a worker counts as gone.
    private static let silence = Duration.seconds(4)
    /// Signs come from the network: so many workers are counted, and so many signs taken in one go. Whoever sends more delays the
    /// others' signs, and nothing else.
    private static let most = 10_000

    private let state: Mutex<State>

    init(_ connection: NatsHandle) throws(FleetError) {
        state = Mutex(State(signs: try NatsSubscriptionHandle(QueueNames.worker("*"), of: connection)))
    }

    /// How many there are now.
    func alive(at now: ContinuousClock.Instant = .now) -> Int {
        state.withLock { state in
            for _ in 0..<Self.most {
                guard let message = try? state.signs.next(within: .zero) else { break }
                guard message.payload.count <= WorkerSign.mostBytes,
                    let sign = FleetJSON.decode(WorkerSign.self, from: message.payload), sign.isPlausible
                else { continue }
                if sign.isDraining {
                    state.heard[sign.id] = nil
                } else if state.heard[sign.id] != nil || state.heard.count < Self.most {
                    state.heard[sign.id] = now
                }
            }
            state.heard = state.heard.filter { now - $0.value < Self.silence }
            return state.heard.count
        }
    }
}
