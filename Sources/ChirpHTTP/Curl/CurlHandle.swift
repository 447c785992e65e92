internal import CCurl

/// One transfer of libcurl: an easy handle.
struct CurlHandle: ~Copyable {
    let raw: UnsafeMutableRawPointer

    init() throws(HTTPError) {
        if let reason = chirp_curl_load() { throw .libraryMissing(String(cString: reason)) }
        guard let raw = chirp_easy_init() else { throw .libraryMissing("it has no memory for a transfer") }
        self.raw = raw
    }

    deinit { chirp_easy_cleanup(raw) }

    // An option that this libcurl does not know would leave a transfer less safe than it was meant to be, so every status counts.

    func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
        try check(chirp_easy_set_long(raw, option, value))
    }

    func set(_ option: CURLoption, _ value: Bool) throws(HTTPError) {
        try check(chirp_easy_set_long(raw, option, value ? 1 : 0))
    }

    func set(_ option: CURLoption, size: Int64) throws(HTTPError) {
        try check(chirp_easy_set_size(raw, option, curl_off_t(size)))
    }

    /// The text is copied.
    func set(_ option: CURLoption, _ text: String) throws(HTTPError) {
        try check(chirp_easy_set_text(raw, option, text))
    }

    func set(_ option: CURLoption, context: UnsafeMutableRawPointer) throws(HTTPError) {
        try check(chirp_easy_set_context(raw, option, context))
    }

    func set(
        _ option: CURLoption,
        mover: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int
    ) throws(HTTPError) {
        try check(chirp_easy_set_mover(raw, option, mover))
    }

    func check(_ code: CURLcode) throws(HTTPError) {
        guard code == CURLE_OK else { throw .libraryMissing(String(cString: chirp_easy_error_text(code))) }
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return chirp_easy_info_long(raw, info, &value) == CURLE_OK ? value : 0
    }

    func size(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return chirp_easy_info_size(raw, info, &value) == CURLE_OK ? Int64(value) : 0
    }
}

/// libcurl's set of transfers under way with the connections they share: a multi handle.
struct CurlMultiHandle: ~Copyable {
    let raw: UnsafeMutableRawPointer

    init() throws(HTTPError) {
        if let reason = chirp_curl_load() { throw .libraryMissing(String(cString: reason)) }
        guard let raw = chirp_multi_init() else { throw .libraryMissing("it has no memory for its connections") }
        self.raw = raw
    }

    deinit { _ = chirp_multi_cleanup(raw) }
}
