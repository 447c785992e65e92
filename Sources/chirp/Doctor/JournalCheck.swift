import ChirpCommands
import ChirpCore
import ChirpFlows
import ChirpJournal
import Glibc

/// Whether the journal is sound, and what waits in the outbox.
enum JournalCheck {
    static func findings(_ wiring: Wiring) async -> [Finding] {
        let path = wiring.session.paths.journalFile
        guard access(path, F_OK) == 0 else { return [.ok("journal", "none yet")] }
        do throws(JournalError) {
            let ports = try wiring.ports()
            try await ports.journal.check()
            let waiting = try await Outbox(ports).list()
            return [.ok("journal", path), outbox(waiting)]
        } catch {
            return [.problem("journal", error.whatHappened, cure: error.whatToDo)]
        }
    }

    private static func outbox(_ waiting: [PublicationRecord]) -> Finding {
        guard let oldest = waiting.first else { return .ok("outbox", "nothing waits") }
        let count = waiting.count == 1 ? "1 publication waits" : "\(waiting.count) publications wait"
        let reason = oldest.lastError.map { ": \($0)" } ?? ""
        return .note("outbox", "\(count)\(reason)", cure: "Run: chirp outbox resume")
    }
}
