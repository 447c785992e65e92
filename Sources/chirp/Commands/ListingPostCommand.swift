import ArgumentParser
import ChirpClips
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpListings
import ChirpNetworks
import ChirpPlaces
import ChirpStores
import Foundation

/// `chirp board lost-and-found post`: lists something.
struct ListingPostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post",
        abstract: "List something that was lost or found.",
        discussion: """
            EXAMPLES:
              chirp board lost-and-found post --lost 'Grey cat' --category pets \\
                --voice take.wav --picture cat.jpg --near Bonn
              cat take.wav | chirp board lost-and-found post --found 'Red umbrella' \\
                --voice - --near 50.73,7.10

            Words or a voice say what it is. The voice is trimmed and levelled like every clip. Of a place in degrees others see \
            a point up to 300 m away, unless --precision says otherwise; of a name the town. The last line of the output is the \
            link alone.
            """)

    @Option(name: .long, help: ArgumentHelp("What was lost.", valueName: "title"))
    var lost: String?

    @Option(name: .long, help: ArgumentHelp("What was found.", valueName: "title"))
    var found: String?

    @Option(name: .long, help: ArgumentHelp("Such as pets, phones or keys (default: other).", valueName: "name"))
    var category: String?

    @Option(name: .long, help: ArgumentHelp("What it is, in words.", valueName: "words"))
    var text: String?

    @Option(
        name: .long,
        help: ArgumentHelp("What it is, spoken: a sound file, or - for standard input.", valueName: "file"),
        completion: .file())
    var voice: String?

    @Option(
        name: .long, help: ArgumentHelp("A picture of it; up to six, each with --picture.", valueName: "file"),
        completion: .file())
    var picture: [String] = []

    @OptionGroup var place: ListingPlaceOptions

    @Option(name: .long, help: ArgumentHelp("What others see: exact, near or town.", valueName: "precision"))
    var precision: String?

    @Option(name: .long, help: ArgumentHelp("When it happened, such as 2026-11-23T14:00.", valueName: "time"))
    var when: String?

    @Option(
        name: .long, help: ArgumentHelp("How it comes back: collect, bring, office, post or agree.", valueName: "way"))
    var handover: String?

    @Option(name: .long, help: ArgumentHelp("What its finder gets.", valueName: "words"))
    var reward: String?

    @Option(name: .long, help: ArgumentHelp("What only its owner can answer.", valueName: "words"))
    var question: String?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func validate() throws {
        if (lost == nil) == (found == nil) { throw ValidationError("Give --lost TITLE or --found TITLE.") }
        if PlainText(lost ?? found ?? "").isEmpty { throw ValidationError("Give it a title: --lost TITLE.") }
        if PlainText(text ?? "").isEmpty && voice == nil {
            throw ValidationError("Say what it is: --text, or --voice.")
        }
        if place.near == nil { throw ValidationError("Say where it was: --near, with a name or with 50.73,7.10.") }
        if picture.count > ItemDraft.mostPictures {
            throw ValidationError("A listing has up to \(ItemDraft.mostPictures) pictures.")
        }
        try Self.check(category, "--category", Listing.Category.allCases)
        try Self.check(handover, "--handover", Listing.Handover.allCases)
        try Self.check(precision, "--precision", PositionPrecision.allCases)
    }

    /// What is not there is said before anything is sent.
    private static func check<T: RawRepresentable<String>>(_ value: String?, _ name: String, _ all: [T]) throws {
        guard let value, T(rawValue: value) == nil else { return }
        throw ValidationError("\(name) is one of \(all.map(\.rawValue).joined(separator: ", ")).")
    }

    func run() async throws {
        var session = try common.session()
        session.config.network.override(NetworkName.none, by: "--voice")
        session.config.store.override(StoreName.hub, by: "--voice")
        let wiring = Wiring(session: session)
        let board = try wiring.listingBoard()
        let console = session.console
        let pictures = try await Interruption.cancels { try await taken(picture, by: board, wiring.session) }
        var fields = self.fields
        if let voice { fields["clip"] = try await clip(voice, wiring).text }
        let listing: HubListing
        do {
            listing = try await Interruption.cancels { [fields] in try await board.post(fields, pictures: pictures) }
        } catch let failure as ListingFailure where failure.isRefusal {
            // What is said in no listing would stay under its link.
            if let clip = fields["clip"] { try? await wiring.store(.hub).remove(StoredObject.ID(clip)) }
            throw failure
        }
        try console.answer(ListingAnswer(listing: listing))
        console.note(listing.lines[0])
        try console.say(PlainText(listing.url, limit: 300).value)
    }

    /// As the board names them.
    private var fields: [String: String] {
        var fields = place.fields
        fields["side"] = lost == nil ? "found" : "lost"
        fields["title"] = lost ?? found
        fields["category"] = category ?? "other"
        fields["text"] = text
        fields["precision"] = precision
        fields["from"] = when
        fields["handover"] = handover
        fields["reward"] = reward
        fields["question"] = question
        // The answer to one that was lost on the way is the listing of the first try.
        fields["key"] = HubID().text
        // Local time is what people write, as the clocks were on that day.
        let day = when.flatMap { try? Date("\($0.prefix(10))T12:00:00Z", strategy: .iso8601) } ?? Date()
        fields["offset"] = "\(TimeZone.current.secondsFromGMT(for: day) / 60)"
        return fields
    }

    /// As much as a hub takes.
    private static let mostPictureBytes = 20_000_000

    private func taken(_ files: [String], by board: ListingBoard, _ session: Session) async throws -> [String] {
        var ids: [String] = []
        for file in files {
            let id = try await Input.with(file, session, digests: false) { input in
                let size = try FileManager.default.attributesOfItem(atPath: input.path)[.size] as? Int ?? 0
                guard (1...Self.mostPictureBytes).contains(size) else {
                    throw ListingFailure.noPicture(input.name, size == 0 ? "it is empty" : "it has more than 20 MB")
                }
                return try await board.addPicture(
                    Array(try Data(contentsOf: URL(filePath: input.path))), name: input.name)
            }
            ids.append(id)
        }
        return ids
    }

    /// Makes a clip as `publish` does, and posts it nowhere.
    private func clip(_ input: String, _ wiring: Wiring) async throws -> HubID {
        let console = wiring.session.console
        let view = console.progressView(ClipSteps.publishing)
        let job = Publishing(
            input: input, clip: .none, words: nil, again: true, wiring: wiring,
            report: FlowReport(console: console, view: view))
        let receipt = try await Interruption.cancels(stopping: job.stop) {
            defer { view.end() }
            return try await job.receipt()
        }
        guard let id = (receipt.store?.link).flatMap({ HubID(pageAddress: $0) }) else {
            throw ListingFailure.refused(title: "the hub gave no link to the clip", fields: [:])
        }
        return id
    }
}
