import ChirpCommands
import ChirpCore
import ChirpFlows
import ChirpHTTP
import ChirpJournal
import ChirpNetworks
import Foundation

/// One `chirp live`: what is listened to, what is shown of it, and keys.
struct Listening: Sendable {
    let wiring: Wiring
    let window: LiveWindow
    let accounts: [LiveAccount]
    /// Whom the user could choose instead.
    let known: [LiveAccount]
    let catchUp: Duration
    /// Where new spoken listings are listened to.
    var area: ListingArea?

    /// Listens to the end.
    ///
    /// - Returns: what was heard.
    func run() async throws -> LiveBoard {
        let console = wiring.session.console
        var ports = try wiring.livePorts(near: area)
        let screen = LiveScreen(known: known, now: ports.uptime)
        let draws = console.canDraw && console.progress == .auto && !console.json
        let closed = Lazy { () throws(Never) in AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1)) }
        let log = LiveLog(path: wiring.session.paths.liveLog)
        ports.report = { time, event in
            screen.take(event, at: time)
            if event.isDetail, let line = event.line { log.write(line, at: InstantText.format(Date())) }
            if console.json {
                let document = LiveDocument(event, at: time, time: Date())
                do { try Terminal.write(try Console.line(document) + "\n") } catch { closed.get().continuation.yield() }
                return
            }
            if let line = event.line, !event.isDetail || console.verbose {
                if draws {
                    // The board shows the rest; what was said stays readable above it.
                    if case .playing = event { screen.note("\(LocalTime.text(Date())) \(line)") }
                    if event.isDetail { screen.note("\(LocalTime.text(Date())) \(line)") }
                } else {
                    console.note("\(LocalTime.text(Date())) \(line)")
                }
            }
            if draws { screen.draw() }
        }
        let live = LiveSession(
            ports, window: window, accounts: accounts, catchUp: catchUp, rules: wiring.liveRules)
        let outbox = OutboxRunner(try wiring.ports())
        let journal = ports.journal
        // Keys only where they are explained.
        let keyboard = draws ? Keyboard() : nil
        defer { keyboard?.close() }
        let keys = keyboard?.keys
        let helpers = [
            Task {
                guard let keys else { return }
                for await key in keys {
                    switch screen.take(key) {
                    case .request(let request): live.send(request)
                    case .list: screen.list((try? await journal.recentPlays(limit: 200)) ?? [])
                    case nil: break
                    }
                }
            },
            Task {
                while draws, !Task.isCancelled {
                    screen.draw()
                    try? await Task.sleep(for: .milliseconds(250))
                }
            },
            // Nobody reads the events any more.
            Task { for await _ in closed.get().stream { live.send(.stop) } },
            Task { await outbox.run() },
        ]
        let result: Result<Void, any Error>
        do { result = .success(try await live.run()) } catch { result = .failure(error) }
        helpers.forEach { $0.cancel() }
        for helper in helpers { await helper.value }
        if draws { screen.clear() }
        try result.get()
        if Task.isCancelled { throw LiveInterruption() }
        return screen.board
    }
}

/// Listening was cancelled; `Interruption` says it in the end.
struct LiveInterruption: Error {}
