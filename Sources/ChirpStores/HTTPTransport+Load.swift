internal import ChirpCore
internal import ChirpFiles
internal import ChirpHTTP

extension HTTPTransport {
    /// Fetches an object into a file that must not exist yet; it appears only when whole and verified.
    ///
    /// - Parameters:
    ///   - bytes: the exact size that the service told; more or fewer are refused.
    ///   - path: where the file appears.
    ///   - store: its name, for errors.
    ///   - keeps: false to look at the content only; then no file appears.
    ///   - check: looks at the answer; throws for a refusal.
    ///   - verify: looks at the file before it appears.
    func load(
        _ request: HTTPRequest, bytes: Int64, to path: String, store: String, keeps: Bool = true,
        check: (HTTPResponse) throws(StoreError) -> Void,
        verify: @Sendable (_ path: String) throws(StoreError) -> Void = { (_: String) throws(StoreError) in }
    ) async throws(StoreError) {
        do {
            let file = try AtomicFile.create(at: path)
            var request = request
            let temporary = file.temporaryPath
            request.sink = .file(path: temporary, offset: 0, limit: bytes)
            let response = try await send(request)
            try check(response)
            guard response.fileBytes == bytes else { throw StoreError.unreachable("a part of the clip is missing") }
            try await offPool { () throws(StoreError) in try verify(temporary) }
            if keeps { try file.commit(replacing: false) }
        } catch let error as StoreError {
            throw error
        } catch let error as HTTPError {
            throw StoreError(error, store: store)
        } catch let fault as FileError {
            throw fault.asStoreError(needed: ByteCount(bytes))
        } catch {
            throw .inputOutput(path: path, reason: "\(error)")
        }
    }
}
