internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird
internal import NIOCore

/// Pictures of things: shown to those who may see what they are of, and taken in from programs.
struct ItemPictureRoutes {
    let library: HubLibrary
    let links: HubLinks
    let stock: PictureStock

    /// Of a form's other parts.
    private static let mostOther = 16 << 10

    var routes: [WebRoute] {
        [
            .get("/pictures/:file") { request, context in try await show(request, context) },
            .api(
                .post, "/api/hub/v1/pictures", .active, scope: "write:media",
                body: .upload(upTo: PictureIntake.mostItemBytes + Self.mostOther),
                summary: "Takes a picture for a listing, as the field 'file' of a form (multipart/form-data)",
                gives: 201
            ) { request, context in
                let account = AccountID(rawValue: try context.someone.id)
                let picture = try await stock.take(try await Self.file(of: request, context), of: account)
                var answer = Response.json { json in
                    json.field("id", picture.id.text)
                    json.field("width", picture.width)
                    json.field("height", picture.height)
                    json.field("bytes", Int(picture.bytes))
                    json.field("small", links.picture(picture.id, .small))
                    json.field("medium", links.picture(picture.id, .medium))
                    json.field("large", links.picture(picture.id, .large))
                }
                answer.status = .created
                return answer
            },
        ]
    }

    /// What everybody may see is kept by whoever likes for an hour, and then asked for anew: the bytes behind a name never change, but
    /// what shows them may be hidden or taken back. What is for some is kept by their browsers alone.
    private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let (id, size) = context.parameters.get("file").flatMap({ PictureFolder.parts($0) }) else {
            throw HTTPError(.notFound)
        }
        let reader = library.seen(by: context.viewer)
        guard let picture = try await reader.picture(id, size) else {
            throw HTTPError(try await reader.isPictureGone(id) ? .gone : .notFound)
        }
        let validators = Validators(sha256: picture.sha256, modified: picture.created)
        var headers: HTTPFields = [
            .eTag: validators.entityTag,
            .cacheControl: picture.isPublic ? "public, max-age=3600, must-revalidate" : "private, no-cache",
        ]
        if picture.isPublic { headers[.crossOriginResourcePolicy] = "cross-origin" }
        headers[.lastModified] = validators.lastModified
        if validators.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = "image/jpeg"
        let size64 = picture.file.size
        guard size64 <= 4 << 20,
            let bytes = await offPool({ picture.file.read(at: 0, count: Int(size64)) }), bytes.count == Int(size64)
        else { throw LibraryError.inputOutput(path: id.text, reason: "the file of a picture is damaged") }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The one file of a form.
    private static func file(of request: Request, _ context: WebContext) async throws -> SentFile {
        var form = try MultipartReader(contentType: request.headers[.contentType])
        let writing = try context.beginFile()
        var (hasFile, isFile, other) = (false, false, 0)
        for try await piece in request.body {
            for event in try form.read(piece) {
                switch event {
                case .part(let name, _, _):
                    isFile = name == "file"
                    guard !isFile || !hasFile else {
                        throw Problem(.badRequest, "not-understood", "One picture is taken at a time")
                    }
                    hasFile = hasFile || isFile
                case .content(let content):
                    if isFile {
                        guard content.readableBytes <= PictureIntake.mostItemBytes - writing.count else {
                            throw Problem(.contentTooLarge, "too-large", "A picture may have 20 MB")
                        }
                        try await writing.append(content)
                    } else {
                        other += content.readableBytes
                        guard other <= mostOther else { throw HTTPError(.contentTooLarge) }
                    }
                case .endOfPart: isFile = false
                }
            }
        }
        try form.end()
        return try await writing.finish()
    }
}
