internal import ChirpCore
internal import ChirpFiles
internal import ChirpHTTP
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Single WebDAV calls on one folder, with the server's refusals told as a store tells them.
struct WebDAVServer: Sendable {
    /// Ends in a slash, because servers redirect the name of a collection without it.
    private let folder: WebAddress
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date

    init(folder: WebAddress, transport: any HTTPTransport, now: @escaping @Sendable () -> Date) {
        self.folder = folder.path.hasSuffix("/") ? folder : folder.replacing(path: folder.path + "/")
        self.transport = transport
        self.now = now
    }

    private func file(_ name: String) -> WebAddress { folder.appending(name) }

    private func send(_ request: HTTPRequest) async throws(StoreError) -> HTTPResponse {
        do throws(HTTPError) { return try await transport.send(request) } catch {
            throw StoreError(error, store: "webdav")
        }
    }

    /// The room of the folder (RFC 4331). A server that does not know these properties leaves it unknown.
    func quota() async throws(StoreError) -> Quota {
        let request = properties(of: folder)
        var response = try await send(request)
        if response.status == 404 {
            try await makeFolder()
            response = try await send(request)
        }
        switch response.status {
        case 207: return DAVProperties(response.body).quota
        case 200...299, 405, 501: return Quota()
        default: throw refusal(response)
        }
    }

    /// Whether the folder is there.
    func exists() async throws(StoreError) -> Bool {
        let response = try await send(properties(of: folder))
        if response.status == 404 { return false }
        guard response.status == 207 else { throw refusal(response) }
        return true
    }

    /// The files in the folder; none when it is not there.
    func entries() async throws(StoreError) -> [DAVListing.Entry] {
        let response = try await send(
            HTTPRequest(
                .propfind, folder, headers: ["Depth": "1", "Content-Type": "application/xml; charset=utf-8"],
                body: .text(DAVListing.request), sink: .memory(limit: 16 << 20)))
        if response.status == 404 { return [] }
        guard response.status == 207 else { throw refusal(response) }
        guard let list = DAVListing(response.body) else {
            throw .refused(status: 207, detail: "its list of the folder cannot be read")
        }
        return list.entries
    }

    /// The size of a file; nil when there is none. Asked by PROPFIND, since a HEAD need not tell it (Apache's of an empty file does
    /// not).
    func size(_ name: String) async throws(StoreError) -> Int64? {
        let response = try await send(properties(of: file(name)))
        if response.status == 404 { return nil }
        guard response.isSuccess else { throw refusal(response) }
        guard let bytes = DAVProperties(response.body).contentLength else {
            throw .refused(status: response.status, detail: "it does not tell the size of a file")
        }
        return bytes
    }

    private func properties(of address: WebAddress) -> HTTPRequest {
        HTTPRequest(
            .propfind, address, headers: ["Depth": "0", "Content-Type": "application/xml; charset=utf-8"],
            body: .text(DAVProperties.request), sink: .memory(limit: 1 << 20))
    }

    /// Writes a file whole, over whatever an earlier attempt left.
    ///
    /// - Parameters:
    ///   - makesFolder: whether the folder is made when it is missing.
    ///   - sent: told how many bytes are on their way.
    func put(
        _ payload: Payload, as name: String, makesFolder: Bool = true,
        sent: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(StoreError) {
        let request = HTTPRequest(
            .put, file(name), headers: ["Content-Type": payload.contentType],
            body: .file(path: payload.path, count: payload.bytes), progress: { count, _ in sent(count) })
        var response = try await send(request)
        if makesFolder, response.status == 409 || response.status == 404 {
            try await makeFolder()
            response = try await send(request)
        }
        guard response.isSuccess else { throw refusal(response, needed: ByteCount(payload.bytes)) }
    }

    /// Gives a file its name; false when the name is taken or the file is not there any more.
    ///
    /// - Parameter replacing: whether a file that has the name already is replaced; then no name is taken.
    func move(_ name: String, to target: String, replacing: Bool = false) async throws(StoreError) -> Bool {
        let headers: HTTPHeaders = ["Destination": file(target).text, "Overwrite": replacing ? "T" : "F"]
        let response = try await send(HTTPRequest(.move, file(name), headers: headers))
        if response.status == 412 || response.status == 404 { return false }
        guard response.isSuccess else { throw refusal(response) }
        return true
    }

    func delete(_ name: String) async throws(StoreError) {
        let response = try await send(HTTPRequest(.delete, file(name)))
        guard response.isSuccess || response.status == 404 else { throw refusal(response) }
    }

    func load(_ id: StoredObject.ID, bytes: Int64, to path: String) async throws(StoreError) {
        try await transport.load(
            HTTPRequest(.get, file(id.text)), bytes: bytes, to: path, store: "webdav",
            check: { (response) throws(StoreError) in
                if !response.isSuccess { throw refusal(response, id: id) }
            })
    }

    /// Fetches a file into one without a name, which goes when it is closed.
    ///
    /// - Parameters:
    ///   - bytes: its exact size; more or fewer are refused.
    ///   - folder: where there is room for it.
    /// - Returns: a descriptor for reading that the caller closes.
    func open(_ name: String, bytes: Int64, in folder: String) async throws(StoreError) -> Int32 {
        let opened = Mutex(Int32(-1))
        try await transport.load(
            HTTPRequest(.get, file(name)), bytes: bytes, to: "\(folder)/fetched", store: "webdav", keeps: false,
            check: { (response) throws(StoreError) in
                if !response.isSuccess { throw refusal(response, id: StoredObject.ID(name)) }
            },
            verify: { (path) throws(StoreError) in
                let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
                guard descriptor >= 0 else { throw FileError(path: path).asStoreError() }
                opened.withLock { $0 = descriptor }
            })
        return opened.withLock { $0 }
    }

    /// What a file holds. It is fetched for that, beside the file that it is to be compared with.
    func digest(_ id: StoredObject.ID, bytes: Int64, beside path: String) async throws(StoreError) -> FileDigest {
        let found = Mutex(FileDigest(bytes: 0, sha256: ""))
        let copy = AtomicFile.split(path).folder + "/chirp-compare-\(RandomName(length: 12))"
        try await transport.load(
            HTTPRequest(.get, file(id.text)), bytes: bytes, to: copy, store: "webdav", keeps: false,
            check: { (response) throws(StoreError) in
                if !response.isSuccess { throw refusal(response, id: id) }
            },
            verify: { (path) throws(StoreError) in
                do throws(FileError) {
                    let digest = try FileDigest.reading(path)
                    found.withLock { $0 = digest }
                } catch {
                    throw error.asStoreError()
                }
            })
        return found.withLock { $0 }
    }

    /// Makes the folder and what is missing above it: 409 says that the parent is missing (RFC 4918 section 9.3.1).
    private func makeFolder() async throws(StoreError) {
        var missing = [folder]
        while let next = missing.last {
            let response = try await send(HTTPRequest(.makeCollection, next))
            switch response.status {
            case 200...299, 405: missing.removeLast()
            case 409:
                let above = next.path.split(separator: "/").dropLast().joined(separator: "/")
                guard missing.count < 32, !above.isEmpty else { throw refusal(response) }
                missing.append(next.replacing(path: "/\(above)/"))
            default: throw refusal(response)
            }
        }
    }

    /// - Parameters:
    ///   - id: what was asked for; names what is missing.
    ///   - needed: what was being stored.
    private func refusal(
        _ response: HTTPResponse, id: StoredObject.ID? = nil, needed: ByteCount? = nil
    ) -> StoreError {
        switch response.status {
        case 401: return .signedOut(store: "webdav", cause: "the server accepts neither user nor password")
        case 403: return .forbidden("the server does not let this user write there")
        case 404: if let id { return .missing(id) }
        case 408, 423, 425, 429, 500, 502, 503, 504: return .busy(retryAfter: response.retryAfter(now: now()))
        case 413, 507: if let needed { return .full(needed: needed, free: nil) }
        default: break
        }
        return .refused(status: response.status, detail: "a WebDAV folder answers otherwise; is the address right?")
    }
}
