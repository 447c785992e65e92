public import ChirpCore
public import ChirpHTTP
internal import Glibc

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
    private let pause: Pause

    /// - Parameters:
    ///   - transport: one that refuses addresses which are not public.
    ///   - trusted: one that does not, used only for hosts that ``HostRules/trusted`` names.
    public init(
        transport: any HTTPTransport, trusted: any HTTPTransport, rules: HostRules, drive: Drive = Drive(),
        retry: RetryPolicy = RetryPolicy(base: .milliseconds(200), cap: .seconds(20), attempts: 6), pause: Pause = .real
    ) {
        self.transport = transport
        trustedTransport = trusted
        self.rules = rules
        self.drive = drive
        self.retry = retry
        self.pause = pause
    }

    /// Fetches a clip. What an earlier, broken call left in the file is used and only the rest asked for.
    ///
    /// - Parameters:
    ///   - path: the file; it holds the whole clip afterwards, or what came of it after a failure.
    ///   - limit: the most bytes taken.
    /// - Throws: permanent errors for what will never be a clip, temporary ones when all attempts broke.
    public func download(_ clip: ClipAddress, to path: String, limit: Int64) async throws(NetworkError) -> Download {
        var address = try first(clip)
        var confirmed = false
        while true {
            let response = try await fetch(address, clip: clip, to: path, limit: limit)
            guard isPage(response, path: path) else {
                let tag = response.headers["ETag"].map { $0.filter { $0 != "\"" }.lowercased() }
                let isDigest = tag?.utf8.count == 64 && tag?.allSatisfy(\.isHexDigit) == true
                return Download(bytes: response.fileBytes ?? 0, sha256: isDigest ? tag : nil)
            }
            // A page instead of the file. Drive asks for a confirmation above some size; everything else is a refusal.
            let page = Self.head(of: path, bytes: 256 << 10)
            unlink(path)
            guard case .drive = clip, !confirmed, let form = DriveConfirmation(page: page, at: address),
                rules.allowsRedirect(to: form.address, of: clip)
            else { throw .refused(status: response.status, detail: "a page came instead of a clip") }
            confirmed = true
            address = form.address
        }
    }

    private func first(_ clip: ClipAddress) throws(NetworkError) -> WebAddress {
        let text: String
        switch clip {
        case .drive(let id, _):
            if let key = drive.key {
                guard let base = WebAddress(drive.api) else { throw .unsupported("use \(drive.api)") }
                let address = base.appending("files", id).adding(["alt": "media", "key": key.reveal()])
                return try checked(address)
            }
            guard let base = WebAddress(drive.web) else { throw .unsupported("use \(drive.web)") }
            return try checked(base.appending("uc").adding(["export": "download", "id": id]))
        case .hub(let found), .attachment(let found): text = found
        }
        guard let address = WebAddress(text) else { throw .refused(status: 0, detail: "not a web address") }
        return try checked(address)
    }

    private func checked(_ address: WebAddress) throws(NetworkError) -> WebAddress {
        if let refusal = rules.refusal(of: address) { throw .forbidden(refusal) }
        return address
    }

    /// One answer with the whole file, over as many attempts as the policy allows.
    private func fetch(
        _ address: WebAddress, clip: ClipAddress, to path: String, limit: Int64
    ) async throws(NetworkError) -> HTTPResponse {
        var attempt = 0
        while true {
            attempt += 1
            var request = HTTPRequest(
                .get, address, sink: .file(path: path, offset: Self.size(of: path), limit: limit))
            if case .drive(let id, let key?) = clip { request.headers["X-Goog-Drive-Resource-Keys"] = "\(id)/\(key)" }
            let outcome: Result<HTTPResponse, HTTPError>
            do throws(HTTPError) { outcome = .success(try await follow(request, clip: clip)) } catch {
                outcome = .failure(error)
            }
            let failure: NetworkError
            switch outcome {
            case .success(let response):
                switch response.status {
                case 200, 206: return response
                case 416:
                    // The part that is here is all there is, or no part of it: begin anew.
                    unlink(path)
                    failure = .unreachable("\(address.host) does not have the rest of the file")
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

    /// Follows redirects, choosing the transport by each address anew.
    private func follow(_ request: HTTPRequest, clip: ClipAddress) async throws(HTTPError) -> HTTPResponse {
        var request = request
        for _ in 0..<6 {
            let isTrusted = rules.trusts(request.address)
            let response = try await (isTrusted ? trustedTransport : transport).send(request)
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"]
            else {
                return response
            }
            let host = request.address.host
            guard let next = request.address.resolving(location), rules.allowsRedirect(to: next, of: clip),
                next.isSecure || !request.address.isSecure
            else { throw .redirect(host: host, reason: "to a place where no clip may come from") }
            request.address = next
        }
        throw .redirect(host: request.address.host, reason: "more than 5 times in a row")
    }

    private func isPage(_ response: HTTPResponse, path: String) -> Bool {
        if let type = response.headers["Content-Type"]?.lowercased(),
            type.hasPrefix("text/html") || type.hasPrefix("application/json")
        {
            return true
        }
        let head = Self.head(of: path, bytes: 64).drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
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

    private static func size(of path: String) -> Int64 {
        var info = stat()
        return stat(path, &info) == 0 ? Int64(info.st_size) : 0
    }

    private static func head(of path: String, bytes: Int) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        return [UInt8](unsafeUninitializedCapacity: bytes) { buffer, count in
            count = fread(buffer.baseAddress, 1, bytes, file)
        }
    }
}
