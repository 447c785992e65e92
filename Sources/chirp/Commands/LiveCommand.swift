import ArgumentParser
import ChirpCore
import ChirpFlows
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
        let following = Following(wiring, console: session.console)
        let known = try await Interruption.cancels { try await following.accounts() }
        let accounts = try await chosen(among: known)
        let listening = Listening(
            wiring: wiring, window: window, accounts: accounts, known: known, catchUp: catchUp?.duration ?? .zero)
        let totals = try await Interruption.cancels(cure: "The next chirp live goes on where this one was") {
            try await listening.run()
        }
        try session.console.answer(Answer(heard: totals.heard, skipped: totals.skipped))
        session.console.note("\(totals.heard) clips heard. Hear them again with: chirp replay")
    }

    private func chosen(among known: [LiveAccount]) async throws -> [LiveAccount] {
        if let from { return try Following.accounts(named: from, among: known) }
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
