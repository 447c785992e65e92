import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpFlows
import ChirpNetworks
import Foundation

/// `chirp live`: listening.
struct LiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Listen: clips are played in the order they arrive.",
        discussion: """
            EXAMPLES:
              chirp live                                   choose the accounts first
              chirp live --from @alice,@bob --for 2h
              chirp live --from @alice --between 14:00-16:00
              chirp live --from @alice --catch-up 30m      what was posted meanwhile too
              chirp live --near Bonn --within 2km          new spoken listings there
              chirp live --from @watched                   broken records that you watch
              chirp live --from @alice --json | jq -r 'select(.event == "played").text'

            A post is played when a chosen account wrote it, it has #Chirp, and it holds a link to a clip. Keys while live: \
            space pauses, s skips, r plays the clip again, l lists what can be heard again, + and - move the end by 15 \
            minutes, w changes the time frame, a the accounts, q ends. Times are those of this machine's time zone, also \
            over midnight. After Ctrl-C or a crash the next live goes on where this one was, within a day; after q it does \
            not.
            """)

    @Option(
        name: .long, help: ArgumentHelp("Accounts to listen to, separated by commas.", valueName: "@a,@b"))
    var from: String?

    @Option(
        name: .customLong("for"), help: ArgumentHelp("How long, such as 2h.", valueName: "time"),
        transform: { try LengthOfTime($0) })
    var length: LengthOfTime?

    @Option(name: .long, help: ArgumentHelp("When, such as 14:00-16:00.", valueName: "frame"))
    var between: String?

    @Option(
        name: .long, help: ArgumentHelp("Begin with what was posted so long ago.", valueName: "time"),
        transform: { try LengthOfTime($0) })
    var catchUp: LengthOfTime?

    @Option(
        name: .long,
        help: ArgumentHelp("How long a slow clip may hold up the others (default: 10s).", valueName: "time"),
        transform: { try LengthOfTime($0) })
    var patience: LengthOfTime?

    @Option(name: .long, help: ArgumentHelp("The loudspeaker, or a part of its name.", valueName: "name"))
    var device: String?

    @Option(
        name: .long, help: ArgumentHelp("New spoken listings near a name or 50.73,7.10.", valueName: "place"),
        transform: { try PlaceName($0) })
    var near: PlaceName?

    @Option(
        name: .long, help: ArgumentHelp("How far from there (default: 2km).", valueName: "distance"),
        transform: { try Distance($0) })
    var within: Distance?

    @Flag(name: .long, inversion: .prefixedNo, help: "Announce clips by two tones (default: yes).")
    var chime: Bool?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let heard: Int
        let skipped: Int
    }

    func validate() throws {
        if length != nil && between != nil {
            throw ValidationError("--for and --between exclude each other: a length or a time frame.")
        }
        if within != nil && near == nil { throw ValidationError("--within needs --near: how far from where?") }
    }

    func run() async throws {
        var session = try common.session()
        session.config.liveDevice.override(device.map { Choice($0) }, by: "--device")
        session.config.livePatience.override(patience, by: "--patience")
        session.config.liveChime.override(chime, by: chime == true ? "--chime" : "--no-chime")
        var choice = LiveWindow.Choice.open
        if let length { choice = .duration(length.duration) }
        if let between { choice = try LiveWindow.Choice(between: between) }
        // Refused before anybody is asked anything.
        let window = try LiveWindow(choice, now: Date(), zone: .current)

        let wiring = Wiring(session: session)
        let console = session.console
        let area = try await Interruption.cancels { () async throws -> ListingArea? in
            try await nearby(wiring, console)
        }
        let following = Following(wiring, console: session.console, near: area)
        let known = try await Interruption.cancels { try await following.accounts() }
        let accounts = try await chosen(among: known)
        let listening = Listening(
            wiring: wiring, window: window, accounts: accounts, known: known, catchUp: catchUp?.duration ?? .zero,
            area: area)
        let totals = try await Interruption.cancels(cure: "The next chirp live goes on where this one was") {
            try await listening.run()
        }
        try session.console.answer(Answer(heard: totals.heard, skipped: totals.skipped))
        session.console.note("\(totals.heard) clips heard. Hear them again with: chirp replay")
    }

    private func nearby(_ wiring: Wiring, _ console: Console) async throws -> ListingArea? {
        guard let near else { return nil }
        let radius = (within ?? Distance(metres: 2000)).metres
        switch near {
        case .point(let latitude, let longitude):
            return ListingArea(latitude: latitude, longitude: longitude, radius: radius)
        case .named(let name):
            let place = try await wiring.listingPlace(name)
            console.note("Near \(place.title)")
            return ListingArea(latitude: place.lat, longitude: place.lon, radius: radius)
        }
    }

    private func chosen(among known: [LiveAccount]) async throws -> [LiveAccount] {
        let nearby = known.filter { $0.isNearby }
        if let from { return try Following.accounts(named: from, among: known.filter { !$0.isNearby }) + nearby }
        if !nearby.isEmpty { return nearby }
        guard !known.isEmpty, Terminal.canAsk, let keyboard = Keyboard() else { throw LiveFailure.nobodyChosen }
        defer { keyboard.close() }
        let screen = Screen()
        defer { screen.clear() }
        var chooser = Chooser(
            title: "Whom to listen to", items: Following.items(known), takesSeveral: true, rows: Following.rows)
        screen.show(chooser.lines)
        let keys = keyboard.keys
        for await key in keys {
            switch chooser.take(key) {
            case .chosen(let accounts):
                guard !accounts.isEmpty else { throw LiveFailure.nobodyChosen }
                return accounts
            case .givenUp: throw LiveFailure.nobodyChosen
            case nil: screen.show(chooser.lines)
            }
        }
        throw LiveFailure.nobodyChosen
    }
}
