internal import ChirpCore
public import ChirpHTTP
internal import FoundationEssentials

/// A sign-in by a browser anywhere, for machines without one (RFC 8628).
public struct DeviceSignIn: Sendable {
    /// What a person types where.
    public struct Invitation: Hashable, Sendable {
        public let address: String
        public let code: String
    }

    private let service: OAuthService
    private let endpoint: TokenEndpoint
    private let pause: Sleeper
    private let show: @Sendable (Invitation) -> Void

    /// What RFC 8628 section 3.2 says when the service does not.
    private static let usualInterval = 5.0

    public init(
        _ service: OAuthService, transport: any HTTPTransport, pause: Sleeper = .real,
        show: @escaping @Sendable (Invitation) -> Void
    ) {
        self.service = service
        endpoint = TokenEndpoint(service: service, transport: transport)
        self.pause = pause
        self.show = show
    }

    /// - Returns: the tokens; nothing is stored.
    public func run() async throws(SignInError) -> Credential {
        guard let address = service.device else {
            throw .unsupported("signing in to \(service.title) on another device")
        }
        let begun: TokenEndpoint.Reply
        do throws(HTTPError) { begun = try await endpoint.deviceCodes(at: address) } catch { throw .http(error) }
        guard let deviceCode = begun.answer.deviceCode, let userCode = begun.answer.userCode,
            let verification = begun.answer.verificationAddress.flatMap({ WebAddress($0) })
        else { throw .refused(service: service.name, title: service.title, detail: begun.answer.refusal) }
        show(Invitation(address: verification.text, code: PlainText(userCode, limit: 40).value))
        var interval = min(max(begun.answer.interval ?? Self.usualInterval, 1), 60)
        let deadline = pause.now().addingTimeInterval(min(begun.answer.expiresIn ?? 1800, 3600))
        while pause.now() < deadline {
            guard await pause.wait(.seconds(interval)) else { throw .http(.cancelled) }
            let reply: TokenEndpoint.Reply
            do throws(HTTPError) { reply = try await endpoint.poll(deviceCode: deviceCode) } catch {
                guard error.isTemporary else { throw .http(error) }
                continue
            }
            switch reply.answer.error {
            case "authorization_pending": continue
            case "slow_down": interval += 5
            case "access_denied": throw .declined(service: service.name, title: service.title)
            case "expired_token", "invalid_grant": throw .tooLate(service: service.name, title: service.title)
            default: return try .granted(reply, by: service, now: pause.now())
            }
        }
        throw .tooLate(service: service.name, title: service.title)
    }
}
