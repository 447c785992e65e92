import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpNetworks
import ChirpOAuth

/// `chirp login`: sign-in to the services, one after the other (CH-1, CH-2).
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in to Google Drive, X, Mastodon, a WebDAV server or to a hub.",
        discussion: """
            EXAMPLES:
              chirp login                              all that are configured
              chirp login drive
              chirp login drive --device               with a code, without a browser
              chirp login x --force                    choose the account again
              chirp login mastodon mastodon.social
              chirp login hub https://hub.example      publish to that hub from now on
              chirp login webdav                       asks for user and password
              pass show dav | chirp login webdav       the password from a pipe

            The hub on this machine needs no sign-in. While you are signed in to another one, store and network "hub" \
            mean that one; chirp logout hub makes them this machine's again. Drive and X need a client id in the \
            configuration; README tells how to get one. What the service grants is kept in credentials.json, which \
            nobody else can read. Declining one leaves the rest usable.
            """)

    @Argument(
        help: "drive, x, mastodon, webdav or hub; all that are configured when it is left out, but webdav and hub.")
    var service: SignInService?

    @Argument(help: "The Mastodon instance, such as mastodon.social, or the address of the hub.")
    var host: String?

    @Flag(name: .long, help: "With a code that is typed on any machine (drive).")
    var device = false

    @Flag(name: .long, help: "Print the address to open; open no browser.")
    var noBrowser = false

    @Flag(name: .long, help: "Make the service ask for the account again.")
    var force = false

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32
        let services: [Item]
    }

    private struct Item: Encodable {
        let service: SignInService
        let signedIn: Bool
        var handle: String?
        var error: ErrorReport.Words?
    }

    func validate() throws {
        if host != nil && service?.hasHosts != true {
            throw ValidationError("Only Mastodon and hubs have instances to name.")
        }
    }

    func run() async throws {
        let session = try common.session()
        let wiring = Wiring(session: session)
        let desk = SignInDesk(wiring: wiring, opensBrowser: !noBrowser, force: force, device: device)
        if let service {
            let host = host
            let handle = try await Interruption.cancels { try await desk.signIn(to: service, host: host) }
            try tell([(service, .success(handle))], session.console)
        } else {
            try tell(try await Interruption.cancels { try await Self.walk(desk, wiring) }, session.console)
        }
    }

    private typealias Outcome = (service: SignInService, result: Result<String?, any Error>)

    /// Through all that are configured; one that fails or is declined does not stop the next.
    private static func walk(_ desk: SignInDesk, _ wiring: Wiring) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for service in SignInService.allCases where service.isWalkedThrough {
            guard try wiring.client(of: service) != nil else {
                wiring.session.console.note("\(service.title): not set up, see README")
                continue
            }
            let known = try wiring.credentials.credential(for: service.rawValue)
            if known?.accessToken != nil && !desk.force {
                outcomes.append((service, .success(known?.handle.map { "@\($0)" })))
                continue
            }
            do {
                outcomes.append((service, .success(try await desk.signIn(to: service, host: nil))))
            } catch {
                if Task.isCancelled { throw error }
                outcomes.append((service, .failure(error)))
            }
        }
        // Nothing is set up: say what the first one needs.
        if outcomes.isEmpty { _ = try wiring.googleClient() }
        return outcomes
    }

    private func tell(_ outcomes: [Outcome], _ console: Console) throws {
        var items: [Item] = []
        var codes: [ChirpCore.ExitCode] = []
        for (service, result) in outcomes {
            switch result {
            case .success(let handle):
                items.append(Item(service: service, signedIn: true, handle: handle))
                try console.say(
                    "signed in to \(service.title)" + (handle.map { " as \(PlainText($0, limit: 200))" } ?? ""))
            case .failure(let error):
                let report = (error as? any Explained).map { ErrorReport($0) } ?? ErrorReport(unexpected: error)
                items.append(Item(service: service, signedIn: false, error: report.error))
                codes.append(ChirpCore.ExitCode(rawValue: report.exit) ?? .unexpected)
                report.show(json: false, colored: console.colored)
                console.note("Missing without \(service.title): \(service.whatIsMissing). The rest works.")
            }
        }
        let code: ChirpCore.ExitCode =
            switch codes.count {
            case 0: .done
            case outcomes.count where Set(codes).count == 1: codes[0]
            default: .partial
            }
        try console.answer(Answer(exit: code.rawValue, services: items))
        if code != .done { throw Ending(code: code) }
    }
}
