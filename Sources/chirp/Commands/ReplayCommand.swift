import ArgumentParser
import ChirpAudio
import ChirpCommands
import ChirpCore
import ChirpDevices
import ChirpFlows
import ChirpJournal
import Foundation

/// `chirp replay`: what was heard live, again (CH-12).
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "List what was heard live; play one again.",
        discussion: """
            EXAMPLES:
              chirp replay                      what can be heard again, and until when
              chirp replay last
              chirp replay 17
              chirp replay --json | jq -r '.clips[] | "\\(.id) \\(.account)"'

            Works without a network, as often as wished, until the clip's time is over (live.keep, 7d) or the room for \
            clips is used up (live.limit, 500MB). Space pauses; q, Enter or Ctrl-C ends it. A clip that is set aside, \
            because chirp has ended unexpectedly twice while it had it in hand, is fetched and played again when it is \
            asked for by its number.
            """)

    @Argument(help: "The number of a clip, or last; without it the clips are listed.")
    var id: String?

    @Option(name: .long, help: ArgumentHelp("The loudspeaker, or a part of its name.", valueName: "name"))
    var device: String?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let clips: [Entry]
    }

    private struct Entry: Encodable {
        let id: PlayID
        let network: String
        let account: String
        let text: String
        let posted: Date
        let arrived: Date
        let seconds: Double?
        let plays: Int
        /// When it goes; absent when it is gone.
        let expires: Date?
        let path: String?
        /// Only a person tries it again; `reason` says why.
        let setAside: Bool
        let reason: String?
    }

    private static let most = 500

    func run() async throws {
        var session = try common.session()
        session.config.liveDevice.override(device.map { Choice($0) }, by: "--device")
        let wiring = Wiring(session: session)
        let journal = try wiring.journal()
        let clips = try await journal.recentPlays(limit: Self.most)
        guard let id else { return try list(clips, wiring, session.console) }
        let last = clips.first { $0.file != nil } ?? clips.first
        guard var clip = id == "last" ? last : Int64(id).flatMap({ id in clips.first { $0.id.rawValue == id } }) else {
            throw UsageError("there is no clip number '\(PlainText(id, limit: 30))'", cure: "Run: chirp replay")
        }
        if clip.state == .setAside { clip = try await fetched(clip, wiring) }
        guard clip.file != nil else {
            throw UsageError(
                "clip \(clip.id) by \(LiveBoard.name(clip)) is not kept any more", cure: "Raise live.keep or live.limit"
            )
        }
        let playing = FilePlaying(
            path: wiring.clipCache.file(of: clip.id), intake: wiring.intake, name: "clip \(clip.id)",
            gain: Decibels(clip.gainDB ?? 0),
            titles: PlaybackTitles(name: "Clip by @\(clip.handle)", title: clip.words, artist: clip.authorName),
            device: DeviceName(session.config.liveDevice.value), console: session.console)
        session.console.note(
            "Playing \(LiveBoard.name(clip)), \(Figures.clock(clip.seconds ?? 0)): \(PlainText(clip.words, limit: 200))"
        )
        _ = try await Interruption.cancels { try await playing.run() }
        let now = Date()
        let played = try await journal.update(play: clip.id) { row in
            row.heard = now
            row.plays += 1
            guard row.state == .setAside else { return }
            // It was heard to its end, and nobody has died.
            row.state = .played
            row.reason = nil
            row.deaths = 0
        }
        try session.console.answer(Answer(clips: [entry(played, wiring)]))
    }

    /// A clip that is set aside, fetched when it is not here. It stays set aside until it was heard.
    private func fetched(_ clip: PlayRecord, _ wiring: Wiring) async throws -> PlayRecord {
        let ports = try wiring.livePorts()
        if clip.file != nil, FileManager.default.fileExists(atPath: ports.cache.file(of: clip.id)) { return clip }
        wiring.session.console.note("Fetching clip \(clip.id) again")
        let fetch = ClipFetch(ports: ports, rules: wiring.liveRules)
        switch try await Interruption.cancels({ try await fetch.run(clip) }) {
        case .fetched(let fetched): return fetched
        case .refused(let reason): throw LiveFailure.notBrought(clip: clip.id, reason: reason)
        case .cancelled: throw Interruption()
        }
    }

    private func list(_ clips: [PlayRecord], _ wiring: Wiring, _ console: Console) throws {
        let entries = clips.map { entry($0, wiring) }
        try console.answer(Answer(clips: entries))
        let width = entries.map(\.account.count).max() ?? 0
        for entry in entries {
            let length = Figures.clock(entry.seconds ?? 0).leftPadded(to: 5)
            let end =
                entry.setAside
                ? "set aside" : entry.expires.map { "until \(LocalTime.text($0, withDay: true))" } ?? "gone"
            try console.say(
                "\("\(entry.id)".leftPadded(to: 5))  \(LocalTime.text(entry.arrived, withDay: true))  "
                    + "\(entry.account.padded(to: width))  \(length)  \(end.padded(to: 22))  "
                    + PlainText(entry.text, limit: 60).value)
        }
        if entries.isEmpty { console.note("Nothing was heard yet; listen with: chirp live") }
    }

    private func entry(_ clip: PlayRecord, _ wiring: Wiring) -> Entry {
        Entry(
            id: clip.id, network: clip.networkName, account: LiveBoard.name(clip), text: clip.words,
            posted: clip.posted, arrived: clip.arrived, seconds: clip.seconds, plays: clip.plays,
            expires: clip.file == nil ? nil : clip.fetched.map(wiring.liveRules.retention.expiry),
            path: clip.file == nil ? nil : wiring.clipCache.file(of: clip.id), setAside: clip.state == .setAside,
            reason: clip.reason)
    }
}
