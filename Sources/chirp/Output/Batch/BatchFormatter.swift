import ChirpCommands
import ChirpFlows

/// What a batch says to people.
struct BatchFormatter {
    let summary: String

    init(_ batch: BatchSummary) {
        var parts = ["\(batch.files) \(batch.files == 1 ? "file" : "files")"]
        for (count, word) in [
            (batch.planned, "to be made"), (batch.made, "made"), (batch.unchanged, "unchanged"),
            (batch.ignored, "no audio"), (batch.silent, "silent"), (batch.failures.count, "failed"),
        ] where count > 0 { parts.append("\(count) \(word)") }
        var text = parts.joined(separator: ", ")
        if batch.made > 0, batch.seconds > 0 {
            text += "; \(Figures.clock(batch.audioSeconds)) of audio in \(Figures.seconds(batch.seconds))"
            text += ", \(Figures.number(batch.audioSeconds / batch.seconds, places: 0)) x real time"
        }
        if let fleet = batch.fleet {
            text += "; by \(fleet.workers) \(fleet.workers == 1 ? "worker" : "workers")"
            for (count, word) in [
                (fleet.redelivered, "handed out again"), (fleet.republished, "asked for again"),
                (fleet.duplicates, "made twice"),
            ] where count > 0 { text += ", \(count) \(word)" }
        }
        summary = text
    }

    /// How far it has come, in a line.
    static func progress(_ pace: BatchProgress) -> String {
        var words = "\(Int(pace.fraction * 100)) %, \(pace.filesDone) of \(pace.files) files, "
        words += "\(Figures.clock(pace.secondsDone)) of \(Figures.clock(pace.seconds))"
        if let speed = pace.speed { words += ", \(Figures.number(speed, places: 0)) x" }
        if let workers = pace.workers { words += ", \(workers) \(workers == 1 ? "worker" : "workers")" }
        if let left = pace.secondsLeft { words += ", \(Figures.clock(left)) left" }
        return words
    }
}
