internal import ArgumentParser
internal import ChirpClips
internal import ChirpCore
internal import ChirpFlows

/// `chirp outbox resume`: goes on where publications stopped.
struct OutboxResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Go on where it stopped.",
        discussion: """
            EXAMPLES:
              chirp outbox resume             all of them, the oldest first
              chirp outbox resume 3kf9        one; the beginning of its id is enough

            What you have stopped goes on too. Prints a line with the link for each that is done now. One that fails does not stop the next; then the exit \
            code is 3, or the failure's own when all failed alike.
            """)

    @Argument(help: "The beginnings of ids; all when none is given.")
    var id: [String] = []

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32
        let items: [Item]
    }

    private struct Item: Encodable {
        let id: String
        let input: String
        let receipt: ReceiptDocument?
        let error: ErrorReport.Words?
    }

    func run() async throws {
        let session = try common.session()
        let (console, ids) = (session.console, id)
        let view = console.progressView(ClipSteps.publishing)
        let report = FlowReport(console: console, view: view)
        let stop = PublicationStop()
        let outcomes = try await Interruption.cancels(stopping: stop) {
            defer { view.end() }
            var ports = try Wiring(session: session).ports(report: report.take)
            ports.stop = stop
            let outbox = Outbox(ports)
            var outcomes: [Outbox.Outcome] = []
            if ids.isEmpty { outcomes = try await outbox.resumeAll() }
            for id in ids { outcomes.append(try await outbox.resume(id)) }
            try Task.checkCancellation()
            return outcomes
        }
        let failures = outcomes.compactMap { outcome -> PublishFailure? in
            guard case .failure(let failure) = outcome.result else { return nil }
            return failure
        }
        let code = Self.code(failures, of: outcomes.count)
        try console.answer(Answer(exit: code.rawValue, items: outcomes.map(Self.item)))
        for outcome in outcomes { try tell(outcome, console) }
        if outcomes.isEmpty { console.note("Nothing to do: everything is published.") }
        if code != .done { throw Ending(code: code) }
    }

    private static func code(_ failures: [PublishFailure], of count: Int) -> ChirpCore.ExitCode {
        guard let first = failures.first else { return .done }
        return failures.count == count && failures.allSatisfy { $0.exitCode == first.exitCode }
            ? first.exitCode : .partial
    }

    private static func item(_ outcome: Outbox.Outcome) -> Item {
        switch outcome.result {
        case .success(let receipt):
            Item(id: outcome.id, input: outcome.name, receipt: receipt.map(ReceiptDocument.init), error: nil)
        case .failure(let failure):
            Item(id: outcome.id, input: outcome.name, receipt: nil, error: ErrorReport(failure).error)
        }
    }

    private func tell(_ outcome: Outbox.Outcome, _ console: Console) throws {
        switch outcome.result {
        case .success(let receipt?): try console.say("\(outcome.id)  \(receipt.store?.link ?? "")")
        case .success(nil): console.note("\(outcome.id) is withdrawn.")
        case .failure(let failure):
            console.note("\(outcome.id) (\(PlainText(outcome.name, limit: 60))):")
            ErrorReport(failure).show(json: false, colored: console.colored)
        }
    }
}
