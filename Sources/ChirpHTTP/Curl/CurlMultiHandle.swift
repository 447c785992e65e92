internal import CCurl

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
