import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpOAuth

/// `chirp logout`: ends sign-ins, at the services and here.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign out: revoke at the service, and forget.",
        discussion: """
            EXAMPLES:
              chirp logout                all services
              chirp logout x
              chirp logout hub            store and network "hub" are this machine's again

            The service is told that the sign-in is over, and everything about it is removed from credentials.json, also \
            when the service cannot be reached. Published clips stay where they are.
            """)

    @Argument(help: "drive, x, mastodon, webdav or hub; all when it is left out.")
    var service: SignInService?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let services: [Item]
    }

    private struct Item: Encodable {
        let service: SignInService
        let wasSignedIn: Bool
        let revoked: Bool
    }

    func run() async throws {
        let session = try common.session()
        let (console, wiring) = (session.console, Wiring(session: session))
        let services = service.map { [$0] } ?? SignInService.allCases
        let outcomes = try await Interruption.cancels {
            var outcomes: [(SignInService, SignOut.Outcome)] = []
            for service in services {
                let signOut = SignOut(store: wiring.credentials, transport: wiring.patientTransport())
                let client = try wiring.client(of: service)
                outcomes.append((service, try await signOut.run(service.rawValue, client: client)))
            }
            return outcomes
        }
        try console.answer(
            Answer(
                services: outcomes.map {
                    Item(service: $0, wasSignedIn: $1 != .wasNotSignedIn, revoked: $1 == .revoked)
                }))
        for (service, outcome) in outcomes {
            switch outcome {
            case .revoked: try console.say("signed out of \(service.title)")
            case .wasNotSignedIn: console.note("\(service.title): nobody was signed in")
            case .onlyHere(let error):
                try console.say("signed out of \(service.title) here")
                console.note(
                    "\(service.title) could not be told (\(error.whatHappened)); remove Chirp from the apps in your account "
                        + "there")
            }
        }
    }
}
