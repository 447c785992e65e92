/// How much of a whole is done.
struct BackupMeter {
    private let total: Int64
    private let report: (Double) -> Void
    private var done: Int64 = 0

    init(total: Int64, report: @escaping (Double) -> Void) {
        self.total = total
        self.report = report
    }

    mutating func add(_ bytes: Int) {
        done += Int64(bytes)
        report(min(Double(done) / Double(max(total, 1)), 1))
    }
}
