import ArgumentParser
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpListings
import ChirpNetworks

/// Which listing is meant.
struct ListingOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Its link, or what the link ends with.", valueName: "link"))
    var listing: String

    func id() throws -> HubID {
        let end = listing.split(separator: "?").first?.split(separator: "/").last ?? ""
        guard let id = HubID(end) else { throw ListingFailure.noListing(listing) }
        return id
    }
}

/// `chirp board lost-and-found settle`: it came to a good end.
struct ListingSettleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "It was found, or returned: it leaves the search and stays readable.",
        discussion: """
            EXAMPLES:
              chirp board lost-and-found settle LINK --as returned
            """)

    @OptionGroup var which: ListingOptions

    @Option(name: .customLong("as"), help: ArgumentHelp("How: found or returned.", valueName: "outcome"))
    var outcome: String

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func validate() throws {
        guard ListingStore.Outcome(rawValue: outcome) == nil else { return }
        throw ValidationError("--as is found or returned.")
    }

    func run() async throws {
        let session = try common.session()
        let (board, id, outcome) = (try Wiring(session: session).listingBoard(), try which.id(), outcome)
        let listing = try await Interruption.cancels { try await board.settle(id, as: outcome) }
        try session.console.answer(ListingAnswer(listing: listing))
        session.console.note("It is settled.")
    }
}

/// `chirp board lost-and-found renew`: it lasts as long again.
struct ListingRenewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "A listing that would end lasts as long again as a new one.",
        discussion: """
            EXAMPLES:
              chirp board lost-and-found renew LINK
            """)

    @OptionGroup var which: ListingOptions
    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func run() async throws {
        let session = try common.session()
        let (board, id) = (try Wiring(session: session).listingBoard(), try which.id())
        let listing = try await Interruption.cancels { try await board.renew(id) }
        try session.console.answer(ListingAnswer(listing: listing))
        session.console.note(listing?.expires.map { "It lasts until \(InstantText.format($0))." } ?? "It lasts on.")
    }
}

/// `chirp board lost-and-found withdraw`: it is gone for everybody else.
struct ListingWithdrawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Take a listing back: it is gone for everybody else.",
        discussion: """
            EXAMPLES:
              chirp board lost-and-found withdraw LINK --reason 'Listed by mistake' --yes
            """)

    @OptionGroup var which: ListingOptions

    @Option(name: .long, help: ArgumentHelp("Why.", valueName: "words"))
    var reason: String

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func run() async throws {
        let session = try common.session()
        let (board, id, reason) = (try Wiring(session: session).listingBoard(), try which.id(), reason)
        if !yes {
            guard Terminal.canAsk else {
                throw UsageError("nobody can be asked whether to take it back", cure: "Add --yes")
            }
            guard session.console.confirms("Take it back? Its link will say that it is gone.") else {
                session.console.note("Nothing was changed.")
                return
            }
        }
        try await Interruption.cancels { try await board.withdraw(id, reason: reason) }
        try session.console.answer(ListingAnswer())
        session.console.note("It is withdrawn.")
    }
}
