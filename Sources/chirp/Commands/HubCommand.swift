import ArgumentParser
import ChirpAccounts
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHub
import FoundationEssentials

/// `chirp hub`: what whoever runs the hub does with it from a terminal.
struct HubCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Run the hub: sign in, invite people, back it up.",
        discussion: """
            EXAMPLES:
              chirp hub open                  sign in as the owner, in the browser
              chirp hub invite                a link by which one person can sign up
              chirp hub backup hub.tar        the whole hub in one file, while it runs
              chirp hub restore hub.tar       back from it, where no hub is
              chirp hub restore --store s3    the same from the newest backup in a store
              chirp hub check                 whether all is there and sound
            """,
        subcommands: [
            HubOpenCommand.self, HubInviteCommand.self, HubBackupCommand.self, HubRestoreCommand.self,
            HubCheckCommand.self, HubOnwardCommand.self,
        ])
}

/// `chirp hub open`: a link that signs the owner in, once.
struct HubOpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Sign in as the owner, in the browser.",
        discussion: """
            EXAMPLES:
              chirp hub open                  prints the link and opens it
              chirp hub open --json

            The link works once, for 30 minutes. The hub has to be served meanwhile: chirp serve.
            """)

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func run() async throws {
        let session = try common.session()
        let wiring = Wiring(session: session)
        let address = try wiring.hubAddress()
        let link = try await wiring.hubLibrary().accounts().ownerLink()
        let url = HubPages(publicURL: address.publicURL).ownerSignIn(link)
        try session.console.answer(LinkAnswer(link, url: url))
        try session.console.say(url)
        if !session.console.json { _ = BrowserOpener.open(url) }
    }
}

/// `chirp hub invite`: a link by which somebody can sign up.
struct HubInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "A link by which one person can sign up.",
        discussion: """
            EXAMPLES:
              chirp hub invite
              chirp hub invite --json

            The link works once, for a week, where hub.registration is invite or open.
            """)

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func run() async throws {
        let session = try common.session()
        let wiring = Wiring(session: session)
        let address = try wiring.hubAddress()
        let link = try await wiring.hubLibrary().accounts().invitation()
        let url = HubPages(publicURL: address.publicURL).signUp(link)
        try session.console.answer(LinkAnswer(link, url: url))
        try session.console.say(url)
        if session.config.hubRegistration.value == .closed {
            session.console.note(
                "Nobody can use it yet: hub.registration is closed. Set it to invite, and serve the hub again.")
        }
    }
}

/// What `chirp hub` answers to programs.
private struct LinkAnswer: Encodable {
    let v = 1
    let url: String
    let expires: String

    init(_ link: AccountLink, url: String) {
        self.url = url
        expires = link.expires.formatted(.iso8601)
    }
}
