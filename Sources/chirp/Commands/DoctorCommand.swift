import ArgumentParser
import ChirpCodecs
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpNetworks
import ChirpOAuth

/// `chirp doctor`: what works here, and the cure for what does not.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "What works here, and the cure for what does not.",
        discussion: """
            EXAMPLES:
              chirp doctor
              chirp doctor --json | jq '.checks[] | select(.level != "ok")'

            Looks at the libraries, folders and free space, journal, microphone and loudspeaker, hub, mail server, store, \
            clock, configuration, credentials, sign-ins, what waits in the outbox and what killed runs have left. Changes \
            nothing but the sign-in to X, which is renewed: no other question about it is free. Exits with 3 when \
            something is a problem, with 0 when all is well or only worth a note.
            """)

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32
        let checks: [Finding]
    }

    func run() async throws {
        let (session, configuration) = try sessionWithFinding()
        var findings = [configuration]
        let versions = LibraryVersions.all().map { "\($0.name) \($0.version)" }.joined(separator: ", ")
        findings.append(.ok("libraries", versions))
        findings.append(FormatsCheck.finding())
        let paths = session.paths
        for (purpose, path) in [
            ("state", paths.state), ("hub folder", paths.hub), ("cache", paths.cache), ("temporaries", paths.temporary),
        ] {
            findings.append(FolderCheck.finding(purpose, path))
        }
        findings.append(credentials(paths))
        let wiring = Wiring(session: session)
        findings += await JournalCheck.findings(wiring)
        findings.append(ClockCheck.finding())
        findings += await SoundCheck.findings(
            microphone: session.config.recordDevice.value, loudspeaker: session.config.liveDevice.value)
        findings.append(
            HubCheck.finding(
                bind: session.config.hubBind.value, port: session.config.hubPort.value,
                speaksTLS: session.config.hubTLSCertificate.value != nil))
        findings += await hub(wiring)
        findings += ProcessCheck.findings(wiring)
        findings += await MailCheck.findings(wiring)
        findings += await PaymentCheck.findings(wiring)
        findings += TranscriptCheck.findings(wiring)
        findings += await StoreCheck.findings(wiring)
        findings += await SignInCheck.findings(wiring)
        findings.append(LeftoverCheck.finding(temporary: paths.temporary))
        let code: ChirpCore.ExitCode = findings.contains { $0.level == .problem } ? .partial : .done
        try session.console.answer(Answer(exit: code.rawValue, checks: findings))
        for finding in findings { try session.console.say(finding.line(session.console)) }
        if code != .done { throw Ending(code: code) }
    }

    /// A mistake in the configuration is a finding, and the other checks go on with what is built in.
    private func sessionWithFinding() throws -> (Session, Finding) {
        do {
            let session = try common.session()
            if let file = session.config.exposedFile {
                return (
                    session,
                    .problem(
                        "configuration", "\(file) holds a client's secret, and everybody on this machine can read it",
                        cure: "Run: chmod 600 \(file)")
                )
            }
            return (session, .ok("configuration", common.configFile ?? session.paths.configurationFile))
        } catch {
            let session = common.sessionWithoutSettings()
            return (session, .problem("configuration", error.whatHappened, cure: error.whatToDo))
        }
    }

    /// The hub's data, and how others reach it.
    private func hub(_ wiring: Wiring) async -> [Finding] {
        let (config, folder) = (wiring.session.config, wiring.session.paths.hub)
        var findings = await HubDataCheck.findings(
            folder: folder, limit: config.hubLimit.value?.count, isStaging: config.hubStaging.value)
        findings += BackupCheck.findings(folder: folder, config: config)
        guard let address = try? wiring.hubAddress() else { return findings }
        var reach = HubReachCheck(
            address: address, registration: config.hubRegistration.value, proxies: config.hubTrustedProxies.value)
        do throws(HubError) {
            if let files = try wiring.hubTLS() {
                reach.hasCertificate = true
                findings += CertificateCheck.findings(files, publicURL: address.publicURL)
            }
        } catch {
            findings.append(.problem("certificate", error.whatHappened, cure: error.whatToDo))
        }
        reach.federates = config.hubFederation.value && !config.hubFederationInsecureLoopback.value
        return findings + reach.findings
    }

    private func credentials(_ paths: Paths) -> Finding {
        do throws(CredentialError) {
            let none = try CredentialStore(path: paths.credentialsFile).all().isEmpty
            return .ok("credentials", none ? "none, and none are needed" : "readable by you alone")
        } catch {
            return .problem("credentials", error.whatHappened, cure: error.whatToDo)
        }
    }
}
