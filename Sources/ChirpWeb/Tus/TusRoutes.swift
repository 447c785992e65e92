internal import HTTPTypes
package import Hummingbird

/// The addresses of an upload server: `path` to begin, `path/ID` to continue.
///
/// What must not happen before the version is known to agree: anything. What must be in every answer is added by ``TusHeaders``.
package struct TusRoutes<Desk: Tus.Desk>: Sendable {
    private let desk: Desk
    private let path: String
    private let prefix: String
    private let scope: TokenRule
    private let turns: TusTurns

    /// - Parameters:
    ///   - path: as routes have it, as in `/api/uploads`.
    ///   - prefix: what stands before it in addresses, where a reverse proxy shows the server below a path.
    ///   - scope: what a token must allow.
    ///   - clock: what the patience with a second request is measured with.
    package init(
        desk: Desk, path: String, prefix: String, scope: TokenRule, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.desk = desk
        self.path = path
        self.prefix = prefix
        self.scope = scope
        turns = TusTurns(clock: clock)
    }

    package var routes: [WebRoute] {
        [
            .api(
                .options, path, .everybody, scope: .open, summary: "What the upload server understands (tus 1.0)",
                gives: 204
            ) {
                _, _ in
                try await options()
            },
            .api(
                .options, "\(path)/:upload", .everybody, scope: .open,
                summary: "What the upload server understands (tus 1.0)",
                gives: 204
            ) { _, _ in try await options() },
            .api(.post, path, .active, scope: scope, body: .stream, summary: "Begins an upload (tus 1.0)") {
                request, context in
                try Self.agree(request)
                return try await create(request, try context.someone)
            },
            .api(.get, "\(path)/:upload", .active, scope: scope, summary: "How far an upload is (tus 1.0)") {
                request, context in
                try Self.agree(request)
                return try await look(request, context)
            },
            .api(
                .patch, "\(path)/:upload", .active, scope: scope, body: .stream,
                summary: "Continues an upload (tus 1.0)"
            ) { request, context in
                try Self.agree(request)
                return try await append(request, context)
            },
            .api(.delete, "\(path)/:upload", .active, scope: scope, summary: "Ends an upload (tus 1.0)") {
                request, context in
                try Self.agree(request)
                return try await end(context)
            },
            .api(
                .post, "\(path)/:upload", .active, scope: scope, body: .stream,
                summary: "Stands for another method, which X-HTTP-Method-Override names (tus 1.0)"
            ) { request, context in
                try Self.agree(request)
                switch request.headers[.methodOverride] {
                case "PATCH": return try await append(request, context)
                case "DELETE": return try await end(context)
                case "HEAD": return try await look(request, context)
                default: throw HTTPError(.methodNotAllowed, headers: [.allow: "DELETE, GET, HEAD, OPTIONS, PATCH"])
                }
            },
        ]
    }

    /// Whether both speak the same version.
    private static func agree(_ request: Request) throws {
        guard request.headers[.tusResumable] == Tus.version else {
            throw Problem(.preconditionFailed, "tus-version", "This server speaks tus \(Tus.version)")
        }
    }

    private func options() async throws -> Response {
        Response(
            status: .noContent,
            headers: [
                .tusVersion: Tus.version, .tusExtension: Tus.extensions, .tusMaxSize: "\(await desk.largest)",
                .tusChecksumAlgorithm: Tus.checksums,
            ])
    }

    private func create(_ request: Request, _ person: Person) async throws -> Response {
        let headers = request.headers
        let length = try headers.size(.uploadLength)
        let isDeferred = headers[.uploadDeferLength] != nil
        guard (length != nil) != isDeferred, !isDeferred || headers[.uploadDeferLength] == "1" else {
            throw Problem(.badRequest, "not-understood", "Either Upload-Length or Upload-Defer-Length: 1 is expected")
        }
        guard headers[values: .uploadMetadata].count <= 1,
            let metadata = TusMetadata(headers[.uploadMetadata] ?? "")
        else { throw Problem(.badRequest, "not-understood", "Upload-Metadata is not understood") }
        let largest = await desk.largest
        if let length, length > largest { throw Self.tooLarge(largest) }
        let hasChunk = headers[.contentType] == Tus.chunkType
        guard hasChunk || !BodyRefusal.hasBody(headers) else { throw Self.notAChunk }
        let checksum = try headers[.uploadChecksum].map(TusChecksum.init)
        var upload = try await desk.begin(metadata, length: length, by: person)
        if hasChunk {
            let id = upload.id
            upload = try await turns.hold(id) { alive in
                let found = try await desk.find(id, of: person)
                // It is the upload from before: the sender has lost the answer and sends its first bytes again, which are here.
                guard found.offset == 0 else { return found }
                return try await receive(request, found, person, checksum, alive)
            }
        }
        var answer = Response(status: .created, headers: [.location: "\(prefix)\(path)/\(upload.id)"])
        if hasChunk { answer.headers[.uploadOffset] = "\(upload.offset)" }
        answer.headers[.uploadExpires] = upload.expires
        return answer
    }

    private func look(_ request: Request, _ context: WebContext) async throws -> Response {
        let (id, person) = (try context.upload, try context.someone)
        // Others' are not even waited for.
        _ = try await desk.find(id, of: person)
        await turns.settle(id)
        let upload = try await desk.find(id, of: person)
        var answer = Response(
            status: .ok, headers: [.uploadOffset: "\(upload.offset)", .cacheControl: "no-store"])
        answer.headers[upload.length == nil ? .uploadDeferLength : .uploadLength] = upload.length.map { "\($0)" } ?? "1"
        if !upload.metadata.isEmpty { answer.headers[.uploadMetadata] = upload.metadata }
        answer.headers[.uploadExpires] = upload.expires
        return answer
    }

    private func end(_ context: WebContext) async throws -> Response {
        let (id, person) = (try context.upload, try context.someone)
        // Others' are not even locked.
        _ = try await desk.find(id, of: person)
        try await turns.hold(id) { _ in try await desk.remove(id, of: person) }
        return Response(status: .noContent)
    }

    private func append(_ request: Request, _ context: WebContext) async throws -> Response {
        let (id, person, headers) = (try context.upload, try context.someone, request.headers)
        guard headers[.contentType] == Tus.chunkType else { throw Self.notAChunk }
        guard let offset = try headers.size(.uploadOffset) else {
            throw Problem(.badRequest, "not-understood", "Upload-Offset is missing")
        }
        let length = try headers.size(.uploadLength)
        let checksum = try headers[.uploadChecksum].map(TusChecksum.init)
        _ = try await desk.find(id, of: person)
        let after = try await turns.hold(id) { alive in
            var upload = try await desk.find(id, of: person)
            guard upload.offset == offset else {
                throw Problem(
                    .conflict, "offset", "The upload is somewhere else", detail: "\(upload.offset) bytes are here")
            }
            if let length, length != upload.length {
                let largest = await desk.largest
                guard length <= largest else { throw Self.tooLarge(largest) }
                upload = try await desk.announce(length, for: upload, of: person)
            }
            // Everything is here already; its sender has lost the answer.
            if upload.length == offset, length == nil, headers.hasNoContent { return upload }
            return try await receive(request, upload, person, checksum, alive)
        }
        var answer = Response(status: .noContent, headers: [.uploadOffset: "\(after.offset)"])
        answer.headers[.uploadExpires] = after.expires
        return answer
    }

    /// Bytes that are written at once.
    private static var batch: Int { 1 << 20 }

    /// Takes a body as it comes, and never more of it into memory than a batch.
    private func receive(
        _ request: Request, _ upload: Tus.Upload, _ person: Person, _ checksum: TusChecksum?,
        _ alive: @Sendable () -> Void
    ) async throws -> Tus.Upload {
        let declared = try request.headers.size(.contentLength)
        let largest = await desk.largest
        let room = (upload.length ?? largest) - upload.offset
        guard declared ?? 0 <= room else { throw Self.larger }
        var checksum = checksum
        let isChecked = checksum != nil
        let writing = try await desk.write(upload, of: person, isToBeChecked: isChecked)
        var (pieces, waiting, count): ([ByteBuffer], Int, Int64) = ([], 0, 0)
        do {
            for try await piece in request.body {
                count += Int64(piece.readableBytes)
                guard count <= room else { throw Self.larger }
                checksum?.add(piece)
                pieces.append(piece)
                waiting += piece.readableBytes
                guard waiting >= Self.batch else { continue }
                try await writing.write(pieces)
                alive()
                pieces.removeAll(keepingCapacity: true)
                waiting = 0
            }
            if waiting > 0 { try await writing.write(pieces) }
        } catch {
            // What came before the connection was lost is not sent again.
            if !isChecked, waiting > 0, !(error is Problem) { try? await writing.write(pieces) }
            _ = try? await writing.end(keepsAll: !isChecked && (error as? Problem) != Self.larger)
            throw error
        }
        if let declared, count < declared {
            // Cut off; nobody hears the answer.
            _ = try await writing.end(keepsAll: !isChecked)
            throw Problem(.badRequest, "cut", "The request ended before its length")
        }
        guard checksum?.isRight ?? true else {
            _ = try await writing.end(keepsAll: false)
            throw Problem(
                HTTPResponse.Status(code: 460, reasonPhrase: "Checksum Mismatch"), "checksum",
                "The bytes are not those that were meant")
        }
        return try await writing.end(keepsAll: true)
    }

    private static var notAChunk: Problem {
        Problem(.unsupportedMediaType, "media-type", "A chunk has the type \(Tus.chunkType)")
    }

    private static var larger: Problem {
        Problem(.contentTooLarge, "larger-than-announced", "This is more than the upload was to have")
    }

    private static func tooLarge(_ largest: Int64) -> Problem {
        Problem(
            .contentTooLarge, "too-large", "This is larger than any upload may be", detail: "at most \(largest) bytes")
    }
}

/// Adds to the answers below a path what the protocol wants in each, also to failures.
package struct TusHeaders: RouterMiddleware {
    private let path: String

    package init(path: String) { self.path = path }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard request.uri.path == path || request.uri.path.hasPrefix("\(path)/") else { return response }
        response.headers[.tusResumable] = Tus.version
        if response.status == .preconditionFailed { response.headers[.tusVersion] = Tus.version }
        return response
    }
}

extension HTTPFields {
    /// No body at all.
    fileprivate var hasNoContent: Bool { !BodyRefusal.hasBody(self) }
}

extension WebContext {
    /// Who asks, where a route lets nobody else in.
    package var someone: Person {
        get throws {
            guard let person else { throw HTTPError(.unauthorized) }
            return person
        }
    }

    /// The upload that the address names.
    fileprivate var upload: String {
        get throws {
            guard let id = parameters.get("upload") else { throw HTTPError(.notFound) }
            return id
        }
    }
}
