import ArgumentParser
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpFlows
import ChirpStores
import FoundationEssentials
import Glibc

/// `chirp sweep`: removes what has expired.
struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Remove what has expired, here and in the store.",
        discussion: """
            EXAMPLES:
              chirp sweep
              17 4 * * * chirp sweep -q            a line for crontab: every night

            Removes clips whose time is over with their posts and links, and what killed runs have left behind. May be \
            repeated. Exits with 3 when something could not be removed; it is tried again next time.
            """)

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32
        let expired: [String]
        let clips: [String]
        let strays: Int
        let failed: [Failed]
    }

    private struct Failed: Encodable {
        let id: String
        let error: ErrorReport.Words
    }

    func run() async throws {
        let session = try common.session()
        let console = session.console
        let report = try await Interruption.cancels { try await Self.sweep(session) }
        var failed = report.failed.map { Failed(id: $0.id, error: ErrorReport($0.failure).error) }
        if let failure = report.storeFailure { failed.append(Failed(id: "store", error: ErrorReport(failure).error)) }
        let code: ChirpCore.ExitCode = failed.isEmpty ? .done : .partial
        try console.answer(
            Answer(
                exit: code.rawValue, expired: report.expired, clips: report.storeOnly, strays: report.strays,
                failed: failed))
        try console.say(
            "removed \(report.expired.count + report.storeOnly.count) expired clips, \(report.strays) left-over files")
        for failure in failed {
            console.note("\(failure.id): \(PlainText(failure.error.whatHappened)). \(failure.error.whatToDo)")
        }
        if code != .done { throw Ending(code: code) }
    }

    private static func sweep(_ session: Session) async throws -> Sweep.Report {
        let wiring = Wiring(session: session)
        // A hub that was never used is not made for this.
        let hasHub = access(session.paths.hub, F_OK) == 0
        let sweep = Sweep(try wiring.ports()) { (now) async throws(StoreError) in
            var removed: [String] = []
            if hasHub {
                do throws(LibraryError) {
                    removed = try await wiring.hubLibrary().sweep(at: now).clips
                } catch {
                    throw .inputOutput(path: session.paths.hub, reason: error.whatHappened)
                }
            }
            if let drive = try wiring.driveToSweep() { removed += try await drive.sweep(at: now) }
            if let s3 = try wiring.s3ToSweep() { _ = try await s3.sweep(at: now) }
            return removed
        }
        return try await sweep.run()
    }
}
