/// The order in which a recording from a pipe reaches the disk: its bytes, its name, the journal's row, and only then the next step.
enum PromiseOrder {
    /// What is wrong with the order that a trace of writes, flushes and the final kill shows; nil when a power cut at any moment
    /// would leave either no promise or one that can be kept.
    static func fault(in trace: String) -> String? {
        let calls = TracedCall.all(in: trace)
        guard let last = calls.last(where: { $0.isWrite && $0.path.contains("/state/chirp/outbox/") }),
            let slash = last.path.lastIndex(of: "/")
        else { return "no recording is written" }
        let (folder, name) = (last.path[..<slash], last.path[slash...].dropFirst())
        let log = calls.filter { $0.path.hasSuffix("/state/chirp/journal.sqlite-wal") }
        // The row has the recording's path, whichever transactions came before.
        guard let promise = log.first(where: { $0.isWrite && $0.text.contains(name) }) else {
            return "the journal does not name the recording"
        }
        guard let kill = calls.first(where: { $0.isKill && $0.begin > promise.begin }) else {
            return "nothing follows the promise"
        }
        func flushed(_ path: Substring, after begin: Int, before end: Int) -> Int? {
            calls.first { $0.isFlush && $0.path == path && $0.begin > begin && ($0.end ?? end) < end }?.end
        }
        guard let bytes = flushed(last.path, after: last.begin, before: promise.begin) else {
            return "the bytes are not flushed before the promise"
        }
        guard flushed(folder, after: bytes, before: promise.begin) != nil else {
            return "the name is not flushed before the promise"
        }
        // A transaction is several writes, and without the last of them it never was.
        let row = log.last { $0.isWrite && $0.begin < kill.begin } ?? promise
        guard flushed(promise.path, after: row.begin, before: kill.begin) != nil else {
            return "the promise is not flushed before the next step"
        }
        return nil
    }
}
