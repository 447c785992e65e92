import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHub

/// Whether the hub's data are sound, kept from others, and have room. Nothing is opened for writing.
enum HubDataCheck {
    /// - Parameter limit: the room for all clips; nil: the disk's.
    static func findings(folder: String, limit: ByteCount?, isStaging: Bool) async -> [Finding] {
        var findings: [Finding] = []
        if isStaging {
            findings.append(
                .note(
                    "staging", "a hub to try things on: \(folder)", cure: "For the real one, set hub.staging to false"))
        }
        do throws(BackupError) {
            let report = try await LibraryCheck(folder: folder, boards: Boards.tables).run(readsClips: false)
            let bad = LibraryFindings(report, folder: folder, wereRead: false).findings.filter { $0.level != .ok }
            findings += bad
            if bad.isEmpty { findings.append(.ok("hub data", "sound, \(Figures.count(report.clips, "clip"))")) }
            if let limit { findings.append(room(used: ByteCount(report.bytes), limit)) }
        } catch {
            // Where no hub is yet, there is nothing to look at.
            if case .noHub = error { return findings }
            findings.append(.problem("hub data", error.whatHappened, cure: error.whatToDo))
        }
        return findings
    }

    private static func room(used: ByteCount, _ limit: ByteCount) -> Finding {
        let left = max((limit - used).bytes, 0)
        guard left < limit.bytes / 10 else { return .ok("hub room", "\(ByteCount(left)) of \(limit) left for clips") }
        return .problem(
            "hub room", "only \(ByteCount(left)) of \(limit) left for clips",
            cure: "Run: chirp sweep, or raise hub.limit")
    }
}
