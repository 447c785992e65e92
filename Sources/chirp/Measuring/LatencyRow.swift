import ChirpCommands

/// How long one stage took, over many runs.
struct LatencyRow: Encodable, Hashable, Sendable {
    let stage: String
    let runs: Int
    /// Seconds that half, 95 % and 99 % of the runs stay within.
    let p50: Double
    let p95: Double
    let p99: Double

    init(_ stage: String, _ times: [Duration]) {
        self.stage = stage
        runs = times.count
        let sorted = times.map { $0 / .seconds(1) }.sorted()
        func quantile(_ share: Double) -> Double {
            guard !sorted.isEmpty else { return 0 }
            // The nearest rank: a value that was measured.
            return sorted[min(sorted.count - 1, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
        }
        (p50, p95, p99) = (quantile(0.5), quantile(0.95), quantile(0.99))
    }

    /// A table for people.
    static func table(_ rows: [LatencyRow]) -> [String] {
        let width = rows.map(\.stage.count).max() ?? 0
        let head = "\("stage".padded(to: width))  runs   p50 ms   p95 ms   p99 ms"
        return [head]
            + rows.map { row in
                let times = [row.p50, row.p95, row.p99].map { Figures.number($0 * 1000, places: 1).leftPadded(to: 7) }
                return "\(row.stage.padded(to: width))  \("\(row.runs)".leftPadded(to: 4))  "
                    + times.joined(separator: "  ")
            }
    }
}
