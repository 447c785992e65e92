import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpFlows
import ChirpNetworks

/// `chirp accounts`: whom one can listen to.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "The accounts you follow, alphabetical.",
        discussion: """
            EXAMPLES:
              chirp accounts
              chirp accounts --search ali
              chirp accounts --json | jq -r '.accounts[].handle'
            """)

    @Option(name: .long, help: ArgumentHelp("Only those with this in their handle or name.", valueName: "word"))
    var search: String?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let accounts: [Entry]
    }

    private struct Entry: Encodable {
        let network: String
        let id: String
        let handle: String
        let name: String
    }

    func run() async throws {
        let session = try common.session()
        let following = Following(Wiring(session: session), console: session.console)
        let word = search?.lowercased()
        let accounts = try await Interruption.cancels { try await following.accounts() }.filter { found in
            guard let word else { return true }
            let bare = word.hasPrefix("@") ? String(word.dropFirst()) : word
            return found.account.handle.lowercased().contains(bare)
                || found.account.displayName.lowercased().contains(bare)
        }
        try session.console.answer(
            Answer(
                accounts: accounts.map { found in
                    Entry(
                        network: found.network, id: found.account.id.text, handle: found.account.handle,
                        name: found.account.displayName)
                }))
        for item in Following.items(accounts) { try session.console.say(item.label) }
        if accounts.isEmpty {
            session.console.note(word == nil ? "You follow nobody yet." : "Nobody is called like that.")
        }
    }
}
