internal import CCurl

/// A list of header lines as libcurl wants them.
struct CurlListHandle: ~Copyable {
    let raw: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) throws(HTTPError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = chirp_list_append(list, line) else {
                chirp_list_free(list)
                throw .libraryMissing("it has no memory for header fields")
            }
            list = longer
        }
        raw = list
    }

    deinit { chirp_list_free(raw) }
}
