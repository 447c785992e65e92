import ChirpCommands

/// What one way of encoding one recording took.
struct BenchRow: Encodable, Hashable, Sendable {
    var name: String
    /// Of the recording.
    var seconds: Double
    /// Medians over all rounds, in seconds: on the clock, and of all processors together.
    var wallSeconds: Double
    var processorSeconds: Double
    /// Median over the rounds of wall time divided by that of LAME alone in the same round.
    var ratio: Double
    /// Seconds of audio in a second.
    var timesRealTime: Double

    /// A table for people.
    static func table(_ rows: [BenchRow]) -> [String] {
        let head = ["recording", "way", "wall s", "processor s", "wall / LAME", "x real time"]
        let cells = rows.map { row in
            [
                Figures.seconds(row.seconds), row.name, Figures.number(row.wallSeconds, places: 3),
                Figures.number(row.processorSeconds, places: 3), Figures.number(row.ratio, places: 2),
                Figures.number(row.timesRealTime, places: 0),
            ]
        }
        let widths = head.indices.map { column in ([head] + cells).map { $0[column].count }.max() ?? 0 }
        return ([head] + cells).map { line in
            zip(line, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
        }
    }
}
