import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpNetworks

/// `chirp board lost-and-found search`: what others have lost or found.
struct ListingSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Look for what was lost or found.",
        discussion: """
            EXAMPLES:
              chirp board lost-and-found search
              chirp board lost-and-found search headset --near Bonn --within 5km
              chirp board lost-and-found search --found --category keys --json \\
                | jq -r '.listings[].url'
            """)

    @Argument(help: "Words to look for.")
    var words: [String] = []

    @Flag(name: .long, help: "Only what was lost.")
    var lost = false

    @Flag(name: .long, help: "Only what was found.")
    var found = false

    @Option(name: .long, help: ArgumentHelp("Such as pets, phones or keys.", valueName: "name"))
    var category: String?

    @OptionGroup var place: ListingPlaceOptions

    @Option(
        name: .long, help: ArgumentHelp("How far from there (default: 10km).", valueName: "distance"),
        transform: { try Distance($0) })
    var within: Distance?

    @Option(name: .long, help: ArgumentHelp("The next page, as the one before says.", valueName: "text"))
    var after: String?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func validate() throws {
        if lost && found { throw ValidationError("--lost and --found exclude each other.") }
        if within != nil && place.near == nil { throw ValidationError("--within needs --near: how far from where?") }
    }

    func run() async throws {
        let session = try common.session()
        let board = try Wiring(session: session).listingBoard()
        var fields = place.fields
        if !words.isEmpty { fields["q"] = words.joined(separator: " ") }
        if lost || found { fields["side"] = lost ? "lost" : "found" }
        fields["category"] = category
        fields["after"] = after
        // The board has whole kilometres.
        if place.near != nil { fields["within"] = "\(Int(((within?.metres ?? 10_000) / 1000).rounded(.up)))" }
        let page = try await Interruption.cancels { [fields] in try await board.search(fields) }
        if page.placeUnknown == true, case .named(let name) = place.near {
            throw ListingFailure.noPlace(name, meant: (page.meant ?? []).prefix(3).map(\.title))
        }
        try session.console.answer(ListingAnswer(listings: page.listings, next: page.next))
        for listing in page.listings { for line in listing.lines { try session.console.say(line) } }
        if page.listings.isEmpty { session.console.note("Nothing like that is listed.") }
        if let next = page.next { session.console.note("More: --after \(PlainText(next, limit: 200))") }
    }
}
