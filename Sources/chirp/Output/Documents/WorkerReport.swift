import ChirpCommands
import ChirpCore
import ChirpFleet

/// Turns what a worker tells into words on standard error, or lines of JSON on standard output.
struct WorkerReport: Sendable {
    let console: Console
    /// Where the work comes from.
    let servers: String

    private struct Line: Encodable {
        let v = 1
        let event: String
        var worker: String?
        var name: String?
        var reason: String?
        var port: Int?
    }

    private struct Summary: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let made: Int
        let failed: Int
        let givenBack: Int
        let buried: Int
        let audioSeconds: Double
        let busySeconds: Double
        let seconds: Double
    }

    func take(_ event: FleetWorker.Event) {
        switch event {
        case .ready:
            console.note("Working for \(PlainText(servers)); Ctrl-C or TERM ends it when what is begun is done.")
            answer(Line(event: "ready"))
        case .made(let name, let seconds):
            console.detail("made \(PlainText(name)): \(Figures.clock(seconds)) of audio")
        case .failed(let name, let reason): trouble("failed", name, reason)
        case .givenBack(let name, let reason): trouble("given-back", name, reason)
        case .buried(let name, let reason): trouble("buried", name, reason)
        case .draining:
            console.note("Finishing what is begun ...")
            answer(Line(event: "draining"))
        }
    }

    func isServing(_ address: String, port: Int) {
        console.note("Figures on port \(port): /metrics and /healthz")
        answer(Line(event: "metrics", port: port))
    }

    /// How fast it is, now and then.
    func pace(_ figures: WorkerFigures) { console.note(words(figures)) }

    /// The last words.
    func conclude(_ figures: WorkerFigures) {
        console.note(words(figures))
        answer(
            Summary(
                made: figures.made, failed: figures.failed, givenBack: figures.givenBack, buried: figures.buried,
                audioSeconds: figures.audioSeconds, busySeconds: figures.busySeconds, seconds: figures.seconds))
    }

    private func words(_ figures: WorkerFigures) -> String {
        var text = "\(figures.made) \(figures.made == 1 ? "clip" : "clips") made"
        for (count, word) in [
            (figures.failed, "failed"), (figures.givenBack, "given back"), (figures.buried, "put aside"),
        ] where count > 0 { text += ", \(count) \(word)" }
        guard figures.made > 0, figures.seconds > 0 else { return text }
        let speed = Figures.number(figures.audioSeconds / figures.seconds, places: 0)
        return text
            + "; \(Figures.clock(figures.audioSeconds)) of audio in \(Figures.clock(figures.seconds)), \(speed) x"
    }

    private func trouble(_ event: String, _ name: String, _ reason: String) {
        console.note("\(event) \(PlainText(name, limit: 1000)): \(PlainText(reason))")
        answer(Line(event: event, name: name, reason: reason))
    }

    /// A reader that has gone is no reason to stop working.
    private func answer(_ document: some Encodable) {
        guard console.json, let line = try? Console.line(document) else { return }
        try? Terminal.write(line + "\n")
    }
}
