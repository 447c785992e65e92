import ArgumentParser
import ChirpAccounts
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import FoundationEssentials
import Glibc

/// `chirp frame`: a hub's frame on this machine's screen.
struct FrameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frame",
        abstract: "Show one person's posts on this screen, as they come.",
        discussion: """
            EXAMPLES:
              chirp frame                                 the hub of this machine
              chirp frame --window                        in a window
              chirp frame --hub https://hub.example.org   another hub, by a code
              chirp frame --print                         a link for any browser

            The hub has to be served meanwhile: chirp serve; until it is, nothing is shown. The screen can only read: \
            its token neither posts nor deletes. It is looked after, and ended, on the hub's page Settings, Frames. A \
            browser that dies is started again.
            """)

    @Option(name: .long, help: ArgumentHelp("Another hub than this machine's.", valueName: "url"))
    var hub: String?

    @Flag(name: .long, help: "In a window instead of the whole screen.")
    var window = false

    @Flag(name: .long, help: "Print the link, and open nothing.")
    var print = false

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let url: String
    }

    func run() async throws {
        let session = try common.session()
        let (console, folder) = (session.console, "\(session.paths.state)/frame")
        let page = "\(try base(session))/frame"
        // A browser that has shown a frame has its token; it comes back to where it was.
        let isKnown = access("\(folder)/begun", F_OK) == 0
        @Sendable func begin() async throws -> String {
            hub == nil && (print || !isKnown) ? try await link(session) : page
        }
        guard !print else {
            let first = try await begin()
            try console.answer(Answer(url: first))
            return try console.say(first)
        }
        let path = session.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        guard let browser = FrameBrowser.find(folder: "\(folder)/browser", fillsScreen: !window, searchPath: path)
        else {
            throw FrameCommandError.noBrowser(address: try await begin())
        }
        try console.answer(Answer(url: page))
        guard browser.stays else {
            _ = await browser.show(try await begin())
            return try console.say(page)
        }
        console.note("A frame of \(page), as soon as the hub answers; Ctrl-C ends it.")
        let transport = Wiring(session: session).transport
        do {
            try await Interruption.cancels {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await FrameBrowser.keepAwake() }
                    defer { group.cancelAll() }
                    await Self.answer(of: page, by: transport)
                    try Task.checkCancellation()
                    // Only now, since a link that begins a frame soon ends.
                    let first = try await begin()
                    await Self.show(first, then: page, in: browser, folder: folder)
                    try Task.checkCancellation()
                }
            }
        } catch let error as any Explained where error.exitCode == .interrupted {
            console.note("Stopped.")
            throw Ending(code: .interrupted)
        }
    }

    /// Waits until a hub answers: after a power cut a screen may be there before it, and a browser's page of errors would stay. What cannot
    /// be asked from here, such as one with a certificate of its own, is left to the browser.
    private static func answer(of page: String, by transport: any HTTPTransport) async {
        guard let address = WebAddress(page) else { return }
        let policy = RetryPolicy(base: .seconds(1), cap: .seconds(5), attempts: .max)
        _ = try? await RetryingTransport(transport, policy: policy).send(HTTPRequest(.get, address))
    }

    /// Shows a page again whenever the browser dies, later and later while it dies at once. A window that somebody closes stays closed.
    private static func show(_ first: String, then page: String, in browser: FrameBrowser, folder: String) async {
        var (address, failures) = (first, 0)
        while !Task.isCancelled {
            mkdir(folder, 0o700)
            let clock = ContinuousClock()
            let begun = clock.now
            let isDone = await browser.show(address)
            if clock.now - begun > .seconds(10) {
                // There was time to press the button that the link shows: from now on the browser's own memory leads back.
                close(creat("\(folder)/begun", 0o600))
                (address, failures) = (page, 0)
            }
            if isDone || Task.isCancelled { return }
            failures += 1
            do { try await clock.sleep(for: .seconds(min(60, 1 << min(failures - 1, 6)))) } catch { return }
        }
    }

    private func base(_ session: ChirpCommands.Session) throws -> String {
        guard let hub else { return try Wiring(session: session).hubAddress().publicURL }
        return try HubAddress.checked(hub)
    }

    /// A link that begins a frame of the owner, once and within ten minutes.
    private func link(_ session: ChirpCommands.Session) async throws -> String {
        let wiring = Wiring(session: session)
        let library = try wiring.hubLibrary()
        let link = try await library.frameLink(for: library.owner.id)
        return HubPages(publicURL: try wiring.hubAddress().publicURL).frame(link)
    }
}

/// Why no frame can be shown.
enum FrameCommandError: Explained {
    case noBrowser(address: String)

    var whatHappened: String { "there is no browser on this machine" }
    var cure: Cure {
        switch self {
        case .noBrowser(let address): .advice("Install chromium or firefox, or open \(address)")
        }
    }
    var exitCode: ChirpCore.ExitCode { .refused }
}
