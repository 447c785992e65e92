import ArgumentParser
import ChirpAccounts
import ChirpBoards
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpFlows
import ChirpHTTP
import ChirpHub
import ChirpIntake
import ChirpJournal
import ChirpMap
import ChirpOwnHub
import ChirpPlaces
import ChirpRecords

/// `chirp serve`: the hub's pages, audio and API.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "The pages of published clips, until Ctrl-C.",
        discussion: """
            EXAMPLES:
              chirp serve                          on http://127.0.0.1:4747
              chirp serve --port 8080
              chirp serve --bind 0.0.0.0 --public-url https://clips.example.org
              chirp serve --shared --port 4748     beside another one, see Docs/scale.md

            Only this machine can reach it unless --bind says otherwise. Links of clips begin with the public URL; write \
            it into the configuration as hub.publicURL, so that publish and serve agree.
            """)

    @Option(
        name: .long, help: ArgumentHelp("Port to listen on (default: 4747; 0: any free one).", valueName: "port"),
        transform: { text in
            let value = try Int(configText: text)
            guard Limits.port.accepts(value) else { throw BadValue(text, needs: Limits.port.needs) }
            return value
        })
    var port: Int?

    @Option(name: .long, help: ArgumentHelp("Address to listen on (default: 127.0.0.1).", valueName: "address"))
    var bind: String?

    @Option(name: .long, help: ArgumentHelp("What links begin with.", valueName: "url"))
    var publicURL: String?

    @Flag(name: .long, help: "Serve the library beside other processes that say so too.")
    var shared = false

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "serving"
        let url: String
        let port: Int
    }

    func run() async throws {
        var session = try common.session()
        session.config.hubPort.override(port, by: "--port")
        session.config.hubBind.override(bind, by: "--bind")
        session.config.hubPublicURL.override(publicURL.map { Choice($0) }, by: "--public-url")
        session.config.hubShared.override(shared ? true : nil, by: "--shared")
        let (wiring, console, folder) = (Wiring(session: session), session.console, session.paths.hub)
        let address = try wiring.hubAddress()
        let library = try wiring.hubLibrary()
        let duty = try wiring.hubDuty(library)
        let intake = try wiring.clipIntake(duty: duty)
        do {
            try await Interruption.cancels {
                var settings = HubSettings(address)
                settings.registration = wiring.session.config.hubRegistration.value
                settings.takeAllConnections()
                settings.metrics = wiring.session.config.hubMetrics.value
                settings.tls = try wiring.hubTLS()
                settings.holdFirstPosts = wiring.session.config.hubHoldFirstPosts.value
                settings.isStaging = wiring.session.config.hubStaging.value
                settings.trustedProxies = wiring.session.config.hubTrustedProxies.value
                settings.limitScale = wiring.session.config.hubLimitScale.value
                settings.identity = try wiring.identitySettings()
                settings.federation.isOn = wiring.session.config.hubFederation.value
                settings.federation.insecureLoopback = wiring.session.config.hubFederationInsecureLoopback.value
                settings.webSubHub = wiring.session.config.hubWebSubHub.value.flatMap { WebAddress($0) }
                settings.frameX = try wiring.frameX()
                settings.mail = try wiring.mailServer()
                settings.mailFrom = wiring.mailSender(address.publicURL)
                settings.longestRecording = Self.seconds(wiring.session.config.maxLength.value)
                settings.words = Self.words(wiring.session.config)
                settings.boards = wiring.session.config.hubBoards.value.names
                settings.tracks.longest = Self.seconds(wiring.session.config.hubTracksLongest.value)
                settings.tracks.mostBytes = wiring.session.config.hubTracksLargest.value.count.bytes
                settings.payments = try wiring.payments()
                settings.stakes = Self.stakes(wiring.session.config)
                settings.tiles = Self.tiles(wiring.session.config)
                settings.quotaPerAccount = wiring.session.config.hubQuotaPerAccount.value.count
                let isSecure = settings.tls != nil
                // A certificate is made out to the name by which people know the hub.
                let isNamed = isSecure && wiring.session.config.hubPublicURL.value != nil
                var application = HubApplication(
                    settings: settings, library: library, logger: wiring.logger(), intake: intake,
                    pictures: wiring.pictureIntake(), films: wiring.filmIntake(),
                    onward: Wiring.onwardPublishing(settingsArguments),
                    transcribing: wiring.transcribing(), speech: wiring.frameSpeech()
                ) { port in
                    // A port that the system chose is known only now.
                    let local = try? HubAddress(bind: address.bind, port: port, isSecure: isSecure)
                    let url = local?.publicURL ?? address.publicURL
                    try? console.answer(Answer(url: url, port: port))
                    try? console.say(url)
                    if let link = try? await library.accounts().ownerLink() {
                        let pages = HubPages(publicURL: isNamed ? address.publicURL : url)
                        console.note("Sign in as the owner, once: \(pages.ownerSignIn(link))")
                    }
                    if !Intake.takesFilms {
                        console.note("No video is taken: the program ffmpeg is not installed (apt-get install ffmpeg).")
                    }
                    console.note("Serving \(folder); Ctrl-C ends it.")
                }
                application.paymentTransport = wiring.patientTransport()
                application.gazetteer = wiring.gazetteer()
                application.tracks = wiring.trackMaking()
                application.hearing = wiring.boardHearing()
                application.announcing = wiring.boardAnnouncing()
                application.voice = wiring.boardVoice()
                application.duty = duty
                application.signals = try wiring.hubSignals()
                application.furtherDuties = try Self.beside(wiring)
                try await application.serve()
                throw LibraryError.cancelled
            }
        } catch let error as any Explained where error.exitCode == .interrupted {
            // The way a server ends; its one answer has been given.
            console.note("Stopped.")
            throw Ending(code: .interrupted)
        }
    }

    private static func words(_ config: Config) -> HubWords {
        var words = HubWords()
        words.about = config.hubAbout.value ?? ""
        words.rules = config.hubRules.value ?? ""
        words.contact = config.hubContact.value ?? ""
        return words
    }

    /// Off without a unit.
    private static func stakes(_ config: Config) -> StakeLimits {
        guard let unit = config.hubStakesUnit.value else { return .off }
        return StakeLimits(isOn: true, unit: unit, most: Int64(config.hubStakesMost.value))
    }

    private static func tiles(_ config: Config) -> MapTiles? {
        config.hubMapsTiles.value.flatMap {
            MapTiles(template: $0, attribution: config.hubMapsAttribution.value ?? "")
        }
    }

    /// Those by which another process of this program finds the same settings.
    private var settingsArguments: [String] { common.configFile.map { ["--config", $0] } ?? [] }

    /// After how many seconds a recording in the browser stops: where its clip would end, or after a day.
    private static func seconds(_ length: LengthOfTime?) -> Int {
        guard let length else { return 24 * 3600 }
        return max(1, Int((length.duration / .seconds(1)).rounded()))
    }

    /// What is done while the hub is served: it is backed up, and what is due in the outbox is resumed. A journal that cannot be opened stops only
    /// the latter.
    private static func beside(_ wiring: Wiring) throws -> [@Sendable () async -> Void] {
        let console = wiring.session.console
        var works: [@Sendable () async -> Void] = []
        do throws(JournalError) {
            let report = FlowReport(console: console, view: console.progressView([]))
            let runner = OutboxRunner(try wiring.ports(report: report.take))
            works.append { await runner.run() }
        } catch {
            console.note("The outbox is not resumed: \(error.whatHappened)")
        }
        if let moves = try wiring.clipMoves() { works.append { await moves.run() } }
        if let backups = try wiring.scheduledBackups() { works.append { await backups.run() } }
        return works
    }
}
