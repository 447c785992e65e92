internal import ChirpCore
internal import Synchronization

/// Tells the other processes that share something that it has changed, and hears it from them: messages of one subject of NATS, without
/// JetStream and without contents.
///
/// A server that dies takes what it had in hand with it, and the client library goes on with another of the servers. So nobody may rely on a
/// signal; whoever hears them looks by itself too, and at once when it is connected again.
public final class ChangeSignals: Sendable {
    private let settings: FleetSettings
    private let subject: String
    private let pause: Duration
    private let report: @Sendable (FleetError) -> Void
    private let connection = Mutex<NatsHandle?>(nil)
    /// What was reported since the last connection: nobody reads the same every few seconds.
    private let reported = Mutex<FleetError?>(nil)
    /// Several that were not sent yet are one.
    private let wanted = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Blocks for a moment; the servers are asked by ``hear(_:)``.
    ///
    /// - Parameters:
    ///   - name: a file with the name that those who share something have in common; made when it is not there.
    ///   - pause: after servers could not be reached.
    ///   - report: hears why signals do not come.
    /// - Throws: `noScratch`.
    public init(
        _ settings: FleetSettings, name: String, pause: Duration = .seconds(5),
        report: @escaping @Sendable (FleetError) -> Void = { _ in }
    ) throws(FleetError) {
        self.settings = settings
        self.pause = pause
        self.report = report
        subject = "CHIRP.changed.\(try LastingName.read(name))"
    }

    /// Whether what others tell is heard at this moment.
    public var areComing: Bool { connection.withLock { $0?.isConnected ?? false } }

    /// Something has changed here. Does not wait.
    public func tell() { wanted.continuation.yield() }

    /// Sends what is told here and calls for what others tell, until the task is cancelled.
    ///
    /// - Parameter heard: must not wait. It is called too when a connection was made: what was told before that was not heard.
    public func hear(_ heard: @escaping @Sendable () -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.send() }
            group.addTask {
                while !Task.isCancelled {
                    await offPool { self.listen(heard) }
                    try? await Task.sleep(for: self.pause)
                }
            }
        }
        connection.withLock { $0 = nil }
    }

    private func send() async {
        for await _ in wanted.stream {
            // What waited in the library's own queue for a connection would be sent as often as it was told.
            while !areComing {
                guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            }
            let connection = connection.withLock { $0 }
            try? connection?.send(NatsLetter(subject: subject, payload: []))
        }
    }

    /// How often somebody who waits for a connection looks; also how late the end of the task is noticed.
    private static let patience = Duration.milliseconds(100)

    /// Until the connection is closed, or the task is cancelled. Blocks.
    private func listen(_ heard: @Sendable () -> Void) {
        do throws(FleetError) {
            let connection = try NatsHandle(settings, hearsItself: false)
            let messages = try NatsSubscriptionHandle(subject, of: connection)
            self.connection.withLock { $0 = connection }
            reported.withLock { $0 = nil }
            defer { self.connection.withLock { $0 = nil } }
            var wasConnected = false
            while !Task.isCancelled, !connection.isClosed {
                let isConnected = connection.isConnected
                if isConnected, !wasConnected { heard() }
                wasConnected = isConnected
                guard try messages.next(within: Self.patience) != nil else { continue }
                // Of those that wait one says all.
                for _ in 0..<Self.most { guard try messages.next(within: .zero) != nil else { break } }
                heard()
            }
        } catch {
            let isNew = reported.withLock { reported in
                defer { reported = error }
                return reported != error
            }
            if isNew { report(error) }
        }
    }

    /// So many messages are taken for one; whoever floods the subject costs looks, and nothing else.
    private static let most = 1000
}
