package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpWeb
internal import Hummingbird
package import Logging

/// What everything about frames shares.
package struct FrameDesk: Sendable {
    /// Why there is no picture, or no clip; a sentence without its full stop.
    package struct Refusal: Error, Hashable {
        package let reason: String
        package init(_ reason: String) { self.reason = reason }
    }

    /// Makes a photo for a screen of what somebody has sent.
    package typealias Pictures = @Sendable (_ bytes: [UInt8]) async throws(Refusal) -> [UInt8]
    /// Takes the sound of an answer in, as the account's, and posts it to somebody; gives the name of what it became. What has the same key
    /// is the same answer.
    package typealias Answers =
        @Sendable (_ sound: [UInt8], _ key: String, _ from: AccountID, _ to: AccountID) async throws -> String

    /// Makes a clip of what was spoken, trimmed and levelled, in a child; gives its bytes and keeps nothing.
    package typealias Clips = @Sendable (_ sound: [UInt8]) async throws(Refusal) -> [UInt8]

    /// Fetches a stranger's sound, within the limits of clips, and makes a clip of it in a child; gives its bytes.
    package typealias Sounds = @Sendable (_ address: String, _ name: String) async throws(Refusal) -> [UInt8]

    /// Reads text aloud, in the first of some languages that it has a voice for; gives an MP3 that is as loud as clips are.
    package typealias Speech = @Sendable (_ text: String, _ languages: [String]) async throws(Refusal) -> [UInt8]

    package let library: HubLibrary
    package let accounts: Accounts
    package let limits: RateLimits
    package let links: HubLinks
    package let forgery: ForgeryCheck
    /// Of the frame's own token.
    package let cookie: HostCookie
    /// Of a person's session.
    package let session: HostCookie
    /// Whatever else a member leaves in a browser.
    package let traces: [HostCookie]
    package let watch: LibraryWatch
    package let shares: AddressShares
    package let seal: FrameSeal
    package let pictures: Pictures?
    /// The same, small, for a list.
    package let faces: Pictures?
    package let answers: Answers?
    package let clips: Clips?
    package let sounds: Sounds?
    package let speech: Speech?
    let spoken: SpokenUpdates
    package let elsewhere: FrameNetworks
    package let usage: UsageBook
    package let logger: Logger

    package init(
        library: HubLibrary, accounts: Accounts, limits: RateLimits, links: HubLinks, forgery: ForgeryCheck,
        cookie: HostCookie, session: HostCookie, traces: [HostCookie] = [], watch: LibraryWatch, shares: AddressShares,
        seal: FrameSeal,
        pictures: Pictures?, faces: Pictures? = nil, answers: Answers?, clips: Clips? = nil, sounds: Sounds?,
        speech: Speech? = nil,
        elsewhere: FrameNetworks, usage: UsageBook, logger: Logger
    ) {
        self.library = library
        self.accounts = accounts
        self.limits = limits
        self.links = links
        self.forgery = forgery
        self.cookie = cookie
        self.session = session
        self.traces = traces
        self.watch = watch
        self.shares = shares
        self.seal = seal
        self.pictures = pictures
        self.faces = faces
        self.answers = answers
        self.clips = clips
        self.sounds = sounds
        self.speech = speech
        spoken = SpokenUpdates()
        self.elsewhere = elsewhere
        self.usage = usage
        self.logger = logger
    }

    /// How often, for an address or for an account.
    enum Rule {
        static let starts = RateRule(20, per: 3600)
        static let codes = RateRule(10, per: 15 * 60)
        static let photos = RateRule(30, per: 3600)
        static let answers = RateRule(30, per: 3600)
        static let speech = RateRule(240, per: 3600)
        /// Players ask for one sound several times; what is not kept is fetched and made anew.
        static let sounds = RateRule(600, per: 3600)
        static let faces = RateRule(3000, per: 3600)
        static let counts = RateRule(600, per: 3600)
    }

    /// Another process may have changed frames that are watched here.
    package func lookAgain() { elsewhere.changes.continuation.yield() }

    /// Browsers keep a cookie no longer than 400 days (RFC 6265bis, section 5.5); it is set anew whenever the frame is opened.
    static let cookieSeconds = 400 * 24 * 3600

    /// A token that begins a frame for its person. The frame shows direct messages too, so only a token that reads them itself may.
    static let joining: TokenRule = ["read:statuses", "write:frames"]

    /// The paths where a frame's token counts; it opens nothing else.
    package static func isOwn(_ path: String) -> Bool { path == base || path.hasPrefix("\(base)/") }

    static let base = "/api/hub/v1/frame"

    /// The frame whose token a request shows, as the bearer or in the cookie. A cookie alone proves nothing where something is changed:
    /// another site's page may have had the browser send it.
    ///
    /// - Throws: 404 `no-frame` when there is none; 403 for a change without the form's token.
    func frame(_ request: Request) async throws -> FrameDevice {
        guard let token = token(request) else { throw Self.noFrame(nil) }
        guard let frame = try await frame(of: token) else {
            throw Self.noFrame(try await library.frameEnd(of: token))
        }
        if request.method != .get, request.method != .head, request.headers[.authorization] == nil,
            !forgery.hasProof(request)
        {
            throw Problem(.forbidden, "form-token", "The header X-Chirp-Form with the page's token is missing")
        }
        try await library.visit(frame)
        return frame
    }

    /// The frame of a token; one whose account was closed meanwhile has ended.
    func frame(of token: OpaqueToken) async throws -> FrameDevice? {
        guard let frame = try await library.frame(of: token) else { return nil }
        guard let account = frame.account, try await accounts.account(account)?.state == .closed else { return frame }
        try await library.endFrame(frame.id, why: .account)
        return nil
    }

    func token(_ request: Request) -> OpaqueToken? {
        if let header = request.headers[.authorization] {
            let parts = header.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            return OpaqueToken(shown: parts[1])
        }
        return cookie.value(in: request).flatMap { OpaqueToken(shown: $0) }
    }

    static func noFrame(_ why: FrameEnd?) -> Problem {
        Problem(.notFound, "no-frame", "No frame was begun in this browser", detail: why?.sentence)
    }

    /// Begins a frame for a browser, or finds the one that it has.
    func begin(_ request: Request, _ context: WebContext) async throws -> (FrameDevice, OpaqueToken) {
        if let token = token(request), try await self.frame(of: token) != nil {
            return (try await frame(request), token)
        }
        guard request.headers[.authorization] != nil || forgery.hasProof(request) else {
            throw Problem(.forbidden, "form-token", "The header X-Chirp-Form with the page's token is missing")
        }
        try await limits.allow("frame", Rule.starts, by: .network(context.network))
        let token = OpaqueToken()
        guard let frame = try await library.newFrame(token, name: request.headers[.userAgent] ?? "") else {
            throw Self.noFrame(nil)
        }
        return (frame, token)
    }

    /// Puts a frame's token into its browser.
    func carrying(_ token: OpaqueToken, _ response: Response) -> Response {
        response.setting(cookie, to: token.secret.reveal(), seconds: Self.cookieSeconds)
    }
}

extension FrameEnd {
    /// For whoever stands before the screen.
    var sentence: String {
        switch self {
        case .ended: word("frame.ended.ended")
        case .account: word("frame.ended.account")
        case .revoked: word("frame.ended.revoked")
        case .forgotten: word("frame.ended.forgotten")
        }
    }
}

extension RateLimits {
    /// Takes one of a bucket, or refuses as programs are refused.
    func allow(_ what: StaticString, _ rule: RateRule, by holder: LimitHolder) async throws {
        do throws(AccountError) { try await consume(what, rule, by: holder) } catch {
            guard case .tooOften(let seconds) = error else { throw error }
            throw Problem(.tooManyRequests, "too-often", "This was tried too often", retryAfter: seconds)
        }
    }
}

extension Response {
    /// Nothing to say.
    static var empty: Response { Response(status: .noContent, headers: [.cacheControl: "no-store"]) }

    /// Goes on to another page, by reading it.
    static func goOn(to address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    }

    /// Nobody keeps it: it shows what one person sees now.
    var unkept: Response {
        var response = self
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
