internal import CCurl
import Glibc

/// One request on its way. Lives and dies on the driver's thread; libcurl's callbacks reach it through its address.
final class CurlTransfer {
    let handle: CurlHandle
    let request: HTTPRequest
    let started = ContinuousClock().now
    private let headerLines: CurlListHandle
    private var gate: AddressGate
    private var hasAnswered = false
    private var source: BodySource
    private var sink: ResponseSink
    private var failure: HTTPError?
    private var sent: Int64 = 0
    private var reported: Int64 = 0
    private let recipient: CurlMailbox.Recipient
    private var lastHeard = ContinuousClock().now

    /// What is done with a piece of content.
    fileprivate enum Taking {
        case taken, paused, refused
    }

    init(
        _ request: HTTPRequest, for recipient: CurlMailbox.Recipient, settings: CurlSettings
    ) throws(HTTPError) {
        let address = request.address
        guard address.isSecure || address.isLoopback || settings.plainOrigins.contains(WebOrigin(address)) else {
            throw .insecure(host: address.host)
        }
        let handle = try CurlHandle()
        let lines = try CurlListHandle(Self.headerLines(request, settings: settings))
        self.handle = handle
        self.headerLines = lines
        self.request = request
        self.recipient = recipient
        gate = AddressGate(onlyPublic: settings.onlyPublicAddresses)
        source = BodySource(request.body)
        sink = ResponseSink(request.sink, host: address.host)
        try configure(settings)
    }

    /// The answer, once libcurl has reported the end.
    func finish(_ code: CURLcode) -> Result<HTTPResponse, HTTPError> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else {
            return .failure(gate.hasRefusedAll ? .privateAddress(host: request.address.host) : error(code))
        }
        do throws(HTTPError) { return .success(try sink.response()) } catch { return .failure(error) }
    }

    func event(_ result: Result<HTTPResponse, HTTPError>) -> HTTPEvent {
        HTTPEvent(
            method: request.method, address: request.address, result: result.map(\.status), sent: sent,
            received: sink.received, took: ContinuousClock().now - started,
            reusedConnection: handle.number(CURLINFO_NUM_CONNECTS) == 0)
    }

    // MARK: libcurl asks

    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do throws(HTTPError) {
            let count = try source.read(into: buffer)
            sent += Int64(count)
            report()
            return count
        } catch {
            failure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Goes back in the content, as when libcurl sends a request again because a kept connection turned out to be dead.
    ///
    /// That is the caller's to decide for what is not repeatable: it may have been carried out.
    fileprivate func seek(to offset: Int64) -> Bool {
        guard request.isRepeatable || sent == 0 else { return false }
        source.seek(to: offset)
        sent = offset
        return true
    }

    fileprivate func header(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(HTTPError) { try sink.header(String(decoding: bytes, as: UTF8.self)) } catch {
            failure = error
            return false
        }
        // An empty line ends the header; informational answers have one too, and so have trailers.
        guard bytes.count <= 2, sink.status >= 200, !hasAnswered else { return true }
        hasAnswered = true
        request.answered?(sink.status, sink.headers)
        if case .pieces(let pipe, _) = recipient {
            lastHeard = ContinuousClock().now
            pipe.begin(CurlPipe.Head(status: sink.status, headers: sink.headers))
        }
        return true
    }

    fileprivate func content(_ bytes: UnsafeRawBufferPointer) -> Taking {
        if case .pieces(let pipe, _) = recipient {
            lastHeard = ContinuousClock().now
            return pipe.take(bytes) ? .taken : .paused
        }
        do throws(HTTPError) { try sink.content(bytes) } catch {
            failure = error
            return .refused
        }
        report()
        return .taken
    }

    /// How long a stream may still be silent; nil for other transfers, and while its reader is the slow one.
    var patienceLeft: Duration? {
        guard case .pieces(let pipe, let silence) = recipient, !pipe.isPaused else { return nil }
        return silence - (ContinuousClock().now - lastHeard)
    }

    /// Goes on after ``Taking/paused``.
    func resume() {
        guard case .pieces(let pipe, _) = recipient else { return }
        lastHeard = ContinuousClock().now
        pipe.resumed()
        _ = chirp_easy_resume(handle.raw)
    }

    /// Opens the socket to an address that the name has led to, or refuses it.
    fileprivate func open(_ family: Int32, _ type: Int32, _ transport: Int32, _ address: [UInt8]) -> Int32 {
        guard gate.admits(address) else { return -1 }
        return socket(family, type | Int32(SOCK_CLOEXEC.rawValue), transport)
    }

    private func report() {
        guard let progress = request.progress, sent + sink.received - reported >= 65_536 else { return }
        reported = sent + sink.received
        progress(sent, sink.received)
    }

    // MARK: set-up

    private func configure(_ settings: CurlSettings) throws(HTTPError) {
        let address = request.address
        try handle.set(CURLOPT_URL, address.text)
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_FOLLOWLOCATION, false)
        try handle.set(CURLOPT_NOSIGNAL, true)
        try handle.set(CURLOPT_SSL_VERIFYPEER, true)
        try handle.set(CURLOPT_SSL_VERIFYHOST, 2)
        try handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // libcurl sends a request again by itself when a connection that it reuses turns out to be dead. Content that must not be
        // sent twice is not handed out twice, see `seek`; without content only a new connection helps.
        if !request.isRepeatable && request.body.count == 0 { try handle.set(CURLOPT_FRESH_CONNECT, true) }
        if let authorities = settings.authorities { try handle.set(CURLOPT_CAINFO, authorities) }
        // A proxy from the environment is for other machines. It would also hide the address from the check below.
        if address.isLoopback || settings.onlyPublicAddresses { try handle.set(CURLOPT_NOPROXY, "*") }
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(settings.connectTimeout))
        // What another machine on the way says is no answer.
        try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        // A heartbeat of some bytes is slow by any measure, so streams have a limit of their own: `patienceLeft`.
        if case .whole = recipient {
            try handle.set(CURLOPT_LOW_SPEED_TIME, max(1, Self.milliseconds(settings.slowTime) / 1000))
            try handle.set(CURLOPT_LOW_SPEED_LIMIT, settings.slowBytesPerSecond)
        }
        try handle.set(CURLOPT_BUFFERSIZE, 256 << 10)
        try handle.set(CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10)

        switch request.method {
        case .get where request.body.count == 0: try handle.set(CURLOPT_HTTPGET, true)
        case .head: try handle.set(CURLOPT_NOBODY, true)
        default:
            try handle.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
            if request.body.count > 0 || request.method.expectsContent {
                try handle.set(CURLOPT_UPLOAD, true)
                try handle.set(CURLOPT_INFILESIZE_LARGE, size: request.body.count)
            }
        }
        try handle.check(chirp_easy_set_list(handle.raw, CURLOPT_HTTPHEADER, headerLines.raw))

        let me = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_READFUNCTION, mover: curlRead)
        try handle.set(CURLOPT_READDATA, context: me)
        try handle.set(CURLOPT_WRITEFUNCTION, mover: curlWrite)
        try handle.set(CURLOPT_WRITEDATA, context: me)
        try handle.set(CURLOPT_HEADERFUNCTION, mover: curlHeader)
        try handle.set(CURLOPT_HEADERDATA, context: me)
        try handle.check(chirp_easy_set_seeker(handle.raw, curlSeek))
        try handle.set(CURLOPT_SEEKDATA, context: me)
        try handle.check(chirp_easy_set_opener(handle.raw, curlOpen))
        try handle.set(CURLOPT_OPENSOCKETDATA, context: me)
    }

    private static func headerLines(_ request: HTTPRequest, settings: CurlSettings) -> [String] {
        // A server that does not know `Expect: 100-continue` would cost a second per upload.
        var lines = ["Expect:"]
        if request.headers["User-Agent"] == nil { lines.append("User-Agent: \(settings.userAgent)") }
        if case .file(_, let offset, _) = request.sink, offset > 0 { lines.append("Range: bytes=\(offset)-") }
        // Without a value libcurl would leave the field out; a semicolon makes it send it empty.
        return lines + request.headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    }

    static func milliseconds(_ duration: Duration) -> Int {
        let parts = duration.components
        let (whole, isTooLong) = parts.seconds.multipliedReportingOverflow(by: 1000)
        guard !isTooLong else { return parts.seconds < 0 ? 0 : .max }
        return Int(clamping: whole.addingReportingOverflow(parts.attoseconds / 1_000_000_000_000_000).partialValue)
    }

    // MARK: failures

    private func error(_ code: CURLcode) -> HTTPError {
        let host = request.address.host
        // These texts are constants of the library, so they hold nothing of the request.
        let reason = String(cString: chirp_easy_error_text(code))
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .unresolved(host: host)
        case CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR, CURLE_PROXY:
            return .unreachable(host: host, reason: reason)
        case CURLE_OPERATION_TIMEDOUT:
            return handle.size(CURLINFO_PRETRANSFER_TIME_T) == 0
                ? .unreachable(host: host, reason: "it did not answer in time")
                : .interrupted(host: host, reason: "it fell silent")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .untrusted(host: host, reason: reason)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_URL_MALFORMAT:
            return .malformed(host: host, reason: reason)
        default: return .interrupted(host: host, reason: reason)
        }
    }
}

// MARK: libcurl's callbacks

private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private func curlRead(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
}

private func curlWrite(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
    switch transfer(context)?.content(buffer) {
    case .taken?: return buffer.count
    case .paused?: return Int(CURL_WRITEFUNC_PAUSE)
    // Any number but the one offered stops the transfer; an empty offer is not one.
    case .refused?, nil: return buffer.count + 1
    }
}

private func curlHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.header(buffer) == true ? buffer.count : buffer.count + 1
}

private func curlSeek(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard origin == SEEK_SET, let transfer = transfer(context) else { return CURL_SEEKFUNC_CANTSEEK }
    return transfer.seek(to: Int64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func curlOpen(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address, let transfer = transfer(context),
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
    else { return -1 }
    let raw = UnsafeRawPointer(address) + offset
    let length = Int(address.pointee.addrlen)
    let bytes: [UInt8] =
        switch address.pointee.family {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        default: []
        }
    return transfer.open(address.pointee.family, address.pointee.socktype, address.pointee.protocol, bytes)
}
