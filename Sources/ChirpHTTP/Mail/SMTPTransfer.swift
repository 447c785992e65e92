internal import CCurl
internal import ChirpCore
import Glibc

/// One conversation with a mail server. Made, run and dropped on one thread.
final class SMTPTransfer {
    private let server: MailServer
    private let greeting: String
    private let letter: (from: String, to: String, bytes: [UInt8])?
    private let patience: (connection: Duration, letter: Duration)
    private var sent = 0

    /// - Parameters:
    ///   - greeting: what this machine calls itself there.
    ///   - letter: nil: only whether the server answers.
    init(
        _ server: MailServer, greeting: String, letter: (String, String, [UInt8])?,
        _ patience: (connection: Duration, letter: Duration)
    ) {
        self.server = server
        self.greeting = greeting
        self.letter = letter
        self.patience = patience
    }

    /// Blocks until the end, or until the task is cancelled.
    func run() throws(MailError) {
        let code: CURLcode
        let answer: Int
        do throws(HTTPError) {
            let handle = try CurlHandle()
            let recipients = try CurlListHandle(letter.map { [$0.to] } ?? [])
            try configure(handle, recipients)
            let multi = try CurlMultiHandle()
            guard chirp_multi_add(multi.raw, handle.raw) == CURLM_OK else {
                throw .libraryMissing("it cannot begin a transfer")
            }
            defer { _ = chirp_multi_remove(multi.raw, handle.raw) }
            code = try finish(multi)
            answer = handle.number(CURLINFO_RESPONSE_CODE)
        } catch {
            if error == .cancelled { throw .cancelled }
            throw .libraryMissing(error.whatHappened)
        }
        guard code == CURLE_OK else { throw failure(code, answer: answer) }
    }

    private func finish(_ multi: borrowing CurlMultiHandle) throws(HTTPError) -> CURLcode {
        var (running, code): (Int32, CURLcode) = (0, CURLE_OK)
        while true {
            _ = chirp_multi_perform(multi.raw, &running)
            if chirp_multi_next_finished(multi.raw, &code) != nil { return code }
            guard !Task.isCancelled else { throw .cancelled }
            // No descriptor wakes it: the time is how long a cancelled letter still waits.
            _ = chirp_multi_poll(multi.raw, -1, 200)
        }
    }

    private func configure(_ handle: borrowing CurlHandle, _ recipients: borrowing CurlListHandle) throws(HTTPError) {
        let scheme = server.encryption == .tls ? "smtps" : "smtp"
        try handle.set(CURLOPT_URL, "\(scheme)://\(server.host):\(server.port)/\(greeting)")
        try handle.set(CURLOPT_PROTOCOLS_STR, scheme)
        try handle.set(CURLOPT_NOSIGNAL, true)
        try handle.set(CURLOPT_SSL_VERIFYPEER, true)
        try handle.set(CURLOPT_SSL_VERIFYHOST, 2)
        try handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        let usage = server.encryption == .plain ? CURLUSESSL_NONE : CURLUSESSL_ALL
        try handle.set(CURLOPT_USE_SSL, Int(usage.rawValue))
        if let authorities = server.authorities { try handle.set(CURLOPT_CAINFO, authorities) }
        // A proxy from the environment is for pages.
        try handle.set(CURLOPT_NOPROXY, "*")
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, CurlTransfer.milliseconds(patience.connection))
        try handle.set(CURLOPT_TIMEOUT_MS, CurlTransfer.milliseconds(patience.letter))
        // Also how long the goodbye may take, for which nothing else sets a limit.
        try handle.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, CurlTransfer.milliseconds(patience.letter) / 2000))
        if let user = server.user {
            try handle.set(CURLOPT_USERNAME, user)
            try handle.set(CURLOPT_PASSWORD, server.password?.reveal() ?? "")
        }
        let me = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_WRITEFUNCTION, mover: discard)
        try handle.set(CURLOPT_HEADERFUNCTION, mover: discard)
        guard let letter else {
            try handle.set(CURLOPT_CUSTOMREQUEST, "NOOP")
            return
        }
        try handle.set(CURLOPT_UPLOAD, true)
        try handle.set(CURLOPT_INFILESIZE_LARGE, size: Int64(letter.bytes.count))
        try handle.set(CURLOPT_MAIL_FROM, letter.from)
        try handle.check(chirp_easy_set_list(handle.raw, CURLOPT_MAIL_RCPT, recipients.raw))
        try handle.set(CURLOPT_READFUNCTION, mover: giveLetter)
        try handle.set(CURLOPT_READDATA, context: me)
    }

    fileprivate func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let letter else { return 0 }
        let count = min(buffer.count, letter.bytes.count - sent)
        letter.bytes.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count]))
        }
        sent += count
        return count
    }

    private func failure(_ code: CURLcode, answer: Int) -> MailError {
        // These texts are constants of the library, so they hold nothing of the letter.
        let (host, reason) = (server.host, String(cString: chirp_easy_error_text(code)))
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .unresolved(host: host)
        case CURLE_COULDNT_CONNECT: return .unreachable(host: host, reason: reason)
        case CURLE_LOGIN_DENIED: return .signedOut(host: host)
        case CURLE_USE_SSL_FAILED: return .untrusted(host: host, reason: "it offers no encryption")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .untrusted(host: host, reason: reason)
        case CURLE_OPERATION_TIMEDOUT: return .interrupted(host: host, reason: "it fell silent")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_GOT_NOTHING,
            CURLE_REMOTE_ACCESS_DENIED:
            if (500..<600).contains(answer) { return .refused(host: host, code: answer) }
            if (400..<500).contains(answer) { return .notNow(host: host, code: answer) }
            return .interrupted(host: host, reason: reason)
        default: return .interrupted(host: host, reason: reason)
        }
    }
}

// MARK: libcurl's callbacks

private func giveLetter(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return Int(CURL_READFUNC_ABORT) }
    return Unmanaged<SMTPTransfer>.fromOpaque(context).takeUnretainedValue()
        .give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

/// What the server says beside its codes is for nobody.
private func discard(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int { size * count }
