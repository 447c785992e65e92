internal import ChirpCore
internal import ChirpJournal

/// Resumes in the background what is due, for commands that run for hours (`chirp serve`, `chirp live`).
public struct OutboxRunner: Sendable {
    private let outbox: Outbox
    private let report: @Sendable (FlowEvent) -> Void
    private let interval: Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - interval: how often to look; rows say by themselves when they are due.
    ///   - wait: sleeps; throws when the task is cancelled.
    public init(
        _ ports: FlowPorts, interval: Duration = .seconds(15),
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        outbox = Outbox(ports)
        report = ports.report
        self.interval = interval
        self.wait = wait
    }

    /// Runs until its task is cancelled. Failures are reported and stay in their rows.
    public func run() async {
        while !Task.isCancelled {
            do throws(JournalError) {
                for outcome in try await outbox.resumeDue() {
                    guard case .failure(let failure) = outcome.result else { continue }
                    switch failure {
                    case .inProgress, .stopped: continue
                    default: break
                    }
                    report(.skipped("publication \(outcome.id)", because: failure.whatHappened))
                }
            } catch {
                report(.skipped("the outbox", because: error.whatHappened))
            }
            do { try await wait(interval) } catch { return }
        }
    }
}
