public import ChirpCore
public import ChirpHTTP

/// Fetches a stranger's clip into a file: within limits, only from where ``HostRules`` allow, going on where it broke off.
public struct ClipDownloader: Sendable {
    /// What came.
    public struct Download: Hashable, Sendable {
        public let bytes: Int64
        /// Lower-case hexadecimal SHA-256 that the store gave for the whole file; nil when it gave none.
        public let sha256: String?

        public init(bytes: Int64, sha256: String?) {
            self.bytes = bytes
            self.sha256 = sha256
        }
    }

    /// Where Drive lies and with what key; see the service's documentation for both ways.
    public struct Drive: Sendable {
        /// The web download that needs no account.
        public var web: String
        /// The API, used when there is a key.
        public var api: String
        public var key: Secret?

        public init(
            web: String = "https://drive.google.com", api: String = "https://www.googleapis.com/drive/v3",
            key: Secret? = nil
        ) {
            self.web = web
            self.api = api
            self.key = key
        }
    }

    private let transport: any HTTPTransport
    private let trustedTransport: any HTTPTransport
    private let rules: HostRules
    private let drive: Drive
    private let retry: RetryPolicy
    private let pause: Sleeper
    private let clock: any Clock<Duration>

    /// The longest that one clip takes, with all attempts and redirects: two minutes, and as long as its bytes need on a slow line.
    public static func patience(for bytes: Int64) -> Duration { .seconds(120) + .seconds(max(0, bytes) / 16_000) }

    /// Where a request goes, and whether that is a place of the configuration, which may be private.
    private struct Place {
        let address: WebAddress
        let isTrusted: Bool
    }

    /// - Parameters:
    ///   - transport: one that refuses addresses which are not public.
    ///   - trusted: one that does not, used only for places that ``HostRules`` trust, and for Drive where the configuration says
    ///     that it lies elsewhere.
    public init(
        transport: any HTTPTransport, trusted: any HTTPTransport, rules: HostRules, drive: Drive = Drive(),
        retry: RetryPolicy = RetryPolicy(base: .milliseconds(200), cap: .seconds(20), attempts: 6),
        pause: Sleeper = .real, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.transport = transport
        trustedTransport = trusted
        self.rules = rules
        self.drive = drive
        self.retry = retry
        self.pause = pause
        self.clock = clock
    }

    /// Fetches a clip. What an earlier, broken call left in the file is used and only the rest asked for, as long as the server
    /// says that it is the same; see ``PartialDownload``.
    ///
    /// - Parameters:
    ///   - path: the file; it holds the whole clip afterwards, or what came of it after a failure.
    ///   - limit: the most bytes taken.
    /// - Throws: permanent errors for what will never be a clip, temporary ones when all attempts broke, or ``patience(for:)`` is over:
    ///   a server that sends a byte now and then would hold the listener otherwise.
    public func download(_ clip: ClipAddress, to path: String, limit: Int64) async throws(NetworkError) -> Download {
        let patience = Self.patience(for: limit)
        return try await withTaskGroup(of: Result<Download, NetworkError>.self) { group in
            group.addTask {
                do throws(NetworkError) {
                    return .success(try await all(of: clip, to: path, limit: limit))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask { [clock] in
                do { try await clock.sleep(for: patience) } catch { return .failure(.cancelled) }
                return .failure(.unreachable("the clip took longer than \(patience)"))
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }.get()
    }

    private func all(of clip: ClipAddress, to path: String, limit: Int64) async throws(NetworkError) -> Download {
        var place = try first(clip)
        var confirmed = false
        while true {
            let (response, end) = try await fetch(place, clip: clip, to: path, limit: limit)
            guard isPage(response, path: path) else {
                PartialDownload.forget(path)
                let tag = response.headers["ETag"].map { $0.filter { $0 != "\"" }.lowercased() }
                let isDigest = tag?.utf8.count == 64 && tag?.allSatisfy(\.isHexDigit) == true
                return Download(bytes: response.fileBytes ?? 0, sha256: isDigest ? tag : nil)
            }
            // A page instead of the file. Drive asks for a confirmation above some size; everything else is a refusal.
            let page = PartialDownload.head(of: path, bytes: 256 << 10)
            PartialDownload.remove(path)
            guard case .drive = clip, !confirmed, let form = DriveConfirmation(page: page, at: end.address),
                let next = self.place(form.address, from: end, of: clip)
            else { throw .refused(status: response.status, detail: "a page came instead of a clip") }
            confirmed = true
            place = next
        }
    }

    private func first(_ clip: ClipAddress) throws(NetworkError) -> Place {
        let text: String
        switch clip {
        case .drive(let id, _):
            let root = drive.key == nil ? drive.web : drive.api
            guard let base = WebAddress(root) else { throw .unsupported("use \(AddressText.masked(root))") }
            // The id was checked when it was found; everything before it is the configuration's.
            let isTrusted = HostRules.refusalByStranger(of: base) != nil
            let address =
                drive.key.map { base.appending("files", id).adding(["alt": "media", "key": $0.reveal()]) }
                ?? base.appending("uc").adding(["export": "download", "id": id])
            return Place(address: address, isTrusted: isTrusted)
        case .hub(let found), .attachment(let found): text = found
        }
        guard let address = WebAddress(text) else { throw .refused(status: 0, detail: "not a web address") }
        if let refusal = rules.refusal(of: address) { throw .forbidden(refusal) }
        return Place(address: address, isTrusted: rules.trusts(address))
    }

    /// Where a redirect or a form leads; nil when it may not be followed. Trust ends with the origin that it was given to.
    private func place(_ address: WebAddress, from place: Place, of clip: ClipAddress) -> Place? {
        guard rules.allowsRedirect(from: place.address, to: address, of: clip) else { return nil }
        let isSame = WebOrigin(address) == WebOrigin(place.address)
        return Place(address: address, isTrusted: isSame && place.isTrusted)
    }

    /// One answer with the whole file, over as many attempts as the policy allows, and where it came from in the end.
    private func fetch(
        _ place: Place, clip: ClipAddress, to path: String, limit: Int64
    ) async throws(NetworkError) -> (HTTPResponse, Place) {
        var attempt = 0
        while true {
            attempt += 1
            let part = PartialDownload(at: path)
            var request = HTTPRequest(
                .get, place.address, sink: .file(path: path, offset: part.offset, limit: limit))
            if let validator = part.validator { request.headers["If-Range"] = validator }
            request.answered = { status, headers in
                if status == 200 { PartialDownload.begin(path, with: headers) }
            }
            if case .drive(let id, let key?) = clip { request.headers["X-Goog-Drive-Resource-Keys"] = "\(id)/\(key)" }
            let outcome: Result<(HTTPResponse, Place), HTTPError>
            do throws(HTTPError) { outcome = .success(try await follow(request, from: place, clip: clip)) } catch {
                outcome = .failure(error)
            }
            let failure: NetworkError
            switch outcome {
            case .success((let response, let end)):
                switch response.status {
                case 200, 206:
                    let whole = part.promised(by: response)
                    if part.continues(with: response), whole == nil || whole == response.fileBytes {
                        return (response, end)
                    }
                    if !part.continues(with: response) { PartialDownload.remove(path) }
                    failure = .unreachable("\(end.address.host) sent another part than was asked for")
                case 416:
                    // The part that is here is all there is, or no part of it: begin anew.
                    PartialDownload.remove(path)
                    failure = .unreachable("\(end.address.host) does not have the rest of the file")
                case 408, 429, 500...599:
                    failure = .busy(retryAfter: response.retryAfter(now: pause.now()))
                default: throw .refused(status: response.status, detail: "the clip is not there for everyone")
                }
            case .failure(let error):
                guard error.isTemporary else { throw Self.networkError(error) }
                failure = .unreachable(error.whatHappened)
            }
            var asked: Duration?
            if case .busy(let wish) = failure { asked = wish }
            guard asked ?? .zero <= .seconds(60),
                let delay = retry.delay(afterAttempt: attempt, asked: asked, jitter: pause.jitter())
            else { throw failure }
            guard await pause.wait(delay) else { throw .cancelled }
        }
    }

    /// Follows redirects, deciding about each address and its transport anew.
    private func follow(
        _ request: HTTPRequest, from place: Place, clip: ClipAddress
    ) async throws(HTTPError) -> (HTTPResponse, Place) {
        var (request, place) = (request, place)
        for _ in 0..<6 {
            request.address = place.address
            let response = try await (place.isTrusted ? trustedTransport : transport).send(request)
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"]
            else {
                return (response, place)
            }
            guard let address = place.address.resolving(location),
                let next = self.place(address, from: place, of: clip)
            else { throw .redirect(host: place.address.host, reason: "to a place where no clip may come from") }
            place = next
        }
        throw .redirect(host: place.address.host, reason: "more than 5 times in a row")
    }

    private func isPage(_ response: HTTPResponse, path: String) -> Bool {
        if let type = response.headers["Content-Type"]?.lowercased(),
            type.hasPrefix("text/html") || type.hasPrefix("application/json")
        {
            return true
        }
        let head = PartialDownload.head(of: path, bytes: 64)
            .drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        return head.first == UInt8(ascii: "<") || head.first == UInt8(ascii: "{")
    }

    private static func networkError(_ error: HTTPError) -> NetworkError {
        switch error {
        case .cancelled: .cancelled
        case .inputOutput(let path, let reason): .inputOutput(path: path, reason: reason)
        case .privateAddress, .insecure, .redirect: .forbidden(error.whatHappened)
        case .tooLarge(_, let limit): .refused(status: 413, detail: "the clip is larger than \(limit)")
        default: .refused(status: 0, detail: error.whatHappened)
        }
    }
}
