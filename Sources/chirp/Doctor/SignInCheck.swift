import ChirpCommands
import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpOAuth
import ChirpStores
import FoundationEssentials

/// Whether the services that are set up can be reached and used, and whether their clocks agree with this machine's.
enum SignInCheck {
    /// Above this, certificates and tokens begin to seem too old or too new.
    private static let skewLimit: TimeInterval = 300

    /// Nothing about services that are neither set up nor wanted.
    static func findings(_ wiring: Wiring) async -> [Finding] {
        var findings: [Finding] = []
        for service in SignInService.allCases {
            do {
                let known = try wiring.credentials.credential(for: service.rawValue)
                let config = wiring.session.config
                guard known != nil || isWanted(service, config) else { continue }
                // The store's own check asks it.
                if service == .webdav, config.store.value == .webdav { continue }
                // A registration alone changes nothing: the hub is the one on this machine.
                if service == .hub, try wiring.hubSignIn() == nil { continue }
                findings += await check(service, known, wiring)
            } catch {
                // The credentials themselves are a finding of their own.
                return findings
            }
        }
        return findings
    }

    /// Whether the settings publish there.
    private static func isWanted(_ service: SignInService, _ config: Config) -> Bool {
        switch service {
        case .drive: config.store.value == .drive
        case .x: config.network.value == .x && config.xMode.value == .link
        case .mastodon: config.network.value == .mastodon
        // Whether there is a sign-in decides which hub is meant, so it is never missing.
        case .webdav, .hub: false
        }
    }

    private static func check(_ service: SignInService, _ known: Credential?, _ wiring: Wiring) async -> [Finding] {
        let cure = "Run: chirp login \(service.rawValue)"
        guard let known, known.accessToken != nil || known.refreshToken != nil || known.password != nil else {
            let cause = known?.ended.map { ": \($0)" } ?? ""
            let text = "not signed in\(cause); missing without it: \(service.whatIsMissing)"
            return [
                isWanted(service, wiring.session.config) || known?.ended != nil
                    ? .problem(service.rawValue, text, cure: cure) : .note(service.rawValue, text, cure: cure)
            ]
        }
        if let expires = known.expires, expires < Date(), known.refreshToken == nil {
            return [.problem(service.rawValue, "the sign-in has expired", cure: cure)]
        }
        if service == .webdav { return await webdav(known, wiring) }
        do {
            guard let client = try wiring.client(of: service) else {
                return [
                    .problem(
                        service.rawValue, "signed in, but its client id is not configured any more",
                        cure: "Set the client id again, or run: chirp logout \(service.rawValue)")
                ]
            }
            let address = try page(service, known, wiring)
            let tokens = wiring.tokens(client)
            if service == .x { try await tokens.renew() }
            let token = try await tokens.token(insteadOf: nil)
            let transport = RetryingTransport(Wiring.bounded(wiring.transport), policy: RetryPolicy(attempts: 2))
            var request = HTTPRequest(service == .x ? .head : .get, address)
            if service != .x { request.headers["Authorization"] = "Bearer " + token.reveal() }
            let response = try await transport.send(request)
            return [finding(service, known, response.status, cure: cure)] + skew(service, response)
        } catch {
            guard let error = error as? any Explained else { return [] }
            let isSignIn = error.exitCode == .signInNeeded
            return [
                .problem(
                    service.rawValue, error.whatHappened,
                    cure: isSignIn ? cure : error.whatToDo.isEmpty ? "Try again later" : error.whatToDo)
            ]
        }
    }

    private static func webdav(_ known: Credential, _ wiring: Wiring) async -> [Finding] {
        do {
            _ = try await wiring.webdavStore().quota()
            return [.ok("webdav", "signed in\(known.user.map { " as \($0)" } ?? ""), and it answers")]
        } catch let error as any Explained {
            return [.problem("webdav", error.whatHappened, cure: error.whatToDo)]
        } catch {
            return [.problem("webdav", "\(error)", cure: "Run: chirp doctor -v")]
        }
    }

    /// Something that answers without a charge. At X nothing that needs a token is free but its renewal, see above.
    private static func page(
        _ service: SignInService, _ known: Credential, _ wiring: Wiring
    ) throws -> WebAddress {
        let config = wiring.session.config
        let text =
            switch service {
            case .drive: config.driveAPI.value + "/about?fields=kind"
            case .x: config.xAPIURL.value + "/2/openapi.json"
            case .mastodon, .hub: (known.instance ?? "") + "/api/v1/accounts/verify_credentials"
            case .webdav: known.instance ?? ""
            }
        guard let address = WebAddress(text) else { throw HTTPError.badAddress(service.title) }
        return address
    }

    private static func finding(_ service: SignInService, _ known: Credential, _ status: Int, cure: String) -> Finding {
        let name = known.handle.map { " as @\($0)" } ?? ""
        switch status {
        case 401 where service != .x: return .problem(service.rawValue, "the sign-in was revoked", cure: cure)
        case 403 where service != .x:
            return .problem(service.rawValue, "the sign-in does not allow what is needed", cure: cure + " --force")
        case 500...599, 429:
            return .problem(service.rawValue, "the service answers \(status)", cure: "Try again later")
        default:
            let place = service == .hub ? known.instance.map { " at \($0)" } ?? "" : ""
            return .ok(service.rawValue, "signed in\(name)\(place), and it answers")
        }
    }

    private static func skew(_ service: SignInService, _ response: HTTPResponse) -> [Finding] {
        guard let theirs = response.headers["Date"].flatMap({ HTTPDate.parse($0) }) else { return [] }
        let seconds = theirs.timeIntervalSinceNow
        guard abs(seconds) > skewLimit else { return [] }
        let minutes = Int((abs(seconds) / 60).rounded())
        return [
            .problem(
                "clock",
                "this machine's clock is \(minutes) min \(seconds > 0 ? "behind" : "ahead of") that of "
                    + service.title, cure: "Set it, for example with: timedatectl set-ntp true")
        ]
    }
}
