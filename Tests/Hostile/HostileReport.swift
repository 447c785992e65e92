/// What became of all cases.
struct HostileReport {
    private var counts: [String: Int] = [:]
    private var bad: [String] = []
    /// Kilobytes.
    var peak = 0

    /// The most memory that reading may take, in kilobytes.
    private static let mostMemory = 300_000

    var isGood: Bool { bad.isEmpty && peak < Self.mostMemory }

    mutating func add(_ outcome: String, case name: String, peak: Int) {
        let isBad = !(outcome == "read" || outcome.hasPrefix("undecodable") || outcome.hasPrefix("unsupported"))
        counts[isBad ? String(outcome.prefix { $0 != ":" }) : outcome, default: 0] += 1
        if isBad { bad.append("\(outcome) in \(name)") }
        if peak >= Self.mostMemory, self.peak < Self.mostMemory { bad.append("\(peak) kB of memory by \(name)") }
        self.peak = max(self.peak, peak)
    }

    func print(cases: Int, seconds: Double) {
        for (outcome, count) in counts.sorted(by: { $0.key < $1.key }) { Swift.print("  \(count) \(outcome)") }
        let deaths = bad.count { $0.hasPrefix("DEATH") }
        let hangs = bad.count { $0.hasPrefix("HANG") }
        Swift.print(
            "  deaths \(deaths), hangs \(hangs), faults \(bad.count - deaths - hangs), peak memory \(peak / 1000) MB")
        Swift.print("  \(cases) cases in \(Int(seconds.rounded())) s")
        for line in bad.prefix(50) { Swift.print("  \(line)") }
    }
}
