internal import ArgumentParser
internal import ChirpCore
internal import ChirpFlows
internal import ChirpJournal
internal import FoundationEssentials

/// `chirp outbox list`, and `chirp outbox` alone.
struct OutboxListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "What is not finished, and why.",
        discussion: """
            EXAMPLES:
              chirp outbox
              chirp outbox --json | jq -r '.items[].id'
            """)

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let items: [Item]
    }

    private struct Item: Encodable {
        let id: String
        let state: String
        let input: String
        let store: String
        let network: String
        let created: Date
        let attempts: Int
        /// How often a process has died while it worked on it.
        let deaths: Int
        /// Nothing goes on with it by itself.
        let setAside: Bool
        let lastError: String?
        let nextAttempt: Date?
        let stopped: Date?

        init(_ record: PublicationRecord) {
            id = record.id
            state = record.state.rawValue
            input = record.inputName
            store = record.storeName
            network = record.networkName
            created = record.created
            attempts = record.attempts
            deaths = record.deaths
            setAside = record.isSetAside
            lastError = record.lastError
            nextAttempt = record.nextAttempt
            stopped = record.stopped
        }
    }

    func run() async throws {
        let session = try common.session()
        let records = try await Outbox(try Wiring(session: session).ports()).list()
        try session.console.answer(Answer(items: records.map(Item.init)))
        for record in records {
            let reason = Self.reason(record).map { ": \($0)" } ?? ""
            let state = record.isSetAside ? "set aside" : record.state.rawValue
            try session.console.say(
                "\(record.id)  \(state.padded(to: 11))  \(PlainText(record.inputName, limit: 60))\(reason)"
            )
        }
        session.console.note(
            records.isEmpty ? "Everything is published." : "Go on with: chirp outbox resume")
    }

    /// Why it is not finished; nil when it has not failed yet.
    private static func reason(_ record: PublicationRecord) -> String? {
        record.stopped == nil
            ? record.lastError.map { "\(PlainText($0))" }
            : "you stopped it; chirp outbox resume \(record.id) goes on, chirp outbox drop \(record.id) gives it up"
    }
}
