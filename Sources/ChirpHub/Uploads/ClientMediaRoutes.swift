internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Sound for posts, as Mastodon's clients send it: in one request, or what they have sent by tus.
struct ClientMediaRoutes {
    let desk: UploadDesk
    let links: HubLinks

    var routes: [WebRoute] {
        [
            .api(
                .post, "/api/v2/media", .active, scope: "write:media", body: .stream,
                summary: "Takes sound for a post; 202 while it is being made"
            ) { request, context in
                let person = try context.someone
                let type = (request.headers[.contentType] ?? "").lowercased().prefix { $0 != ";" && $0 != " " }
                guard type == "multipart/form-data" else {
                    let fields = try await request.fields()
                    return try await take(fields["upload"], fields["description"], person)
                }
                return try await receive(request, person)
            },
            .api(
                .get, "/api/v1/media/:media", .active, scope: "write:media",
                summary: "Sound that was sent; 206 while it is being made"
            ) { _, context in
                let item = try await item(context)
                return try await answer(item, whileMade: .partialContent)
            },
            .api(
                .put, "/api/v1/media/:media", .active, scope: "write:media", body: .upTo(64 << 10),
                summary: "Describes sound that was sent"
            ) { request, context in
                var item = try await item(context)
                if let text = try await request.fields()["description"] { item = try await describe(item, text) }
                return try await answer(item, whileMade: .partialContent)
            },
        ]
    }

    private func item(_ context: WebContext) async throws -> MediaItem {
        do { return try await desk.item(context.parameters.get("media") ?? "", of: try context.someone) } catch {
            throw (error as? Problem)?.status == .notFound ? Self.notFound : error
        }
    }

    private func describe(_ item: MediaItem, _ text: String) async throws -> MediaItem {
        let plain = PlainText(text, limit: UploadDesk.longestDescription).value
        do throws(UploadRefusal) {
            return try await desk.library.describe(item.id, of: item.owner, as: plain) ?? item
        } catch {
            throw UploadDesk.problem(error)
        }
    }

    private func answer(_ item: MediaItem, whileMade: HTTPResponse.Status) async throws -> Response {
        var clip: HubClip?
        if let id = item.clip { clip = try await desk.library.seen(by: .member(item.owner)).ownClip(id) }
        if item.state == .refused {
            throw Problem(
                .unprocessableContent, "refused", "This cannot be used", detail: item.why)
        }
        let status: HTTPResponse.Status = item.state == .ready ? .ok : whileMade
        var answer = try Response.json(MediaAttachment(item, clip: clip, links: links), status: status)
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    /// Something that was sent by tus, wholly or not yet.
    private func take(_ upload: String?, _ description: String?, _ person: Person) async throws -> Response {
        guard let upload else {
            throw Problem(.unprocessableContent, "no-file", "Validation failed: File can't be blank")
        }
        var item = try await desk.item(upload, of: person)
        if let description { item = try await describe(item, description) }
        return try await answer(item, whileMade: .accepted)
    }

    /// Takes a form with a file. The file goes to the disk as it comes; the rest of the form is small.
    private func receive(_ request: Request, _ person: Person) async throws -> Response {
        var form = try MultipartReader(contentType: request.headers[.contentType])
        var pairs: [(name: String, value: String)] = []
        var field: (name: String, bytes: [UInt8])?
        var file: (item: MediaItem, writing: UploadWriting)?
        var (isFile, waiting) = (false, 0)
        var pieces: [ByteBuffer] = []
        do {
            for try await piece in request.body {
                for event in try form.read(piece) {
                    switch event {
                    case .part("file", let name, let type):
                        guard file == nil else { throw Self.odd }
                        file = try await begin(name, type, person)
                        isFile = true
                    case .part(let name, _, _): (field, isFile) = ((name, []), false)
                    case .content(let content) where isFile:
                        pieces.append(content)
                        waiting += content.readableBytes
                    case .content(let content):
                        field?.bytes.append(contentsOf: content.readableBytesView)
                        guard field?.bytes.count ?? 0 <= Self.longestField else { throw Self.odd }
                    case .endOfPart:
                        if !isFile, let field {
                            pairs.append((field.name, String(decoding: field.bytes, as: UTF8.self)))
                        }
                        (field, isFile) = (nil, false)
                    }
                }
                guard waiting >= Self.batch else { continue }
                try await file?.writing.write(pieces)
                pieces.removeAll(keepingCapacity: true)
                waiting = 0
            }
            try form.end()
            let fields = RequestFields(pairs)
            guard let file else { return try await take(fields["upload"], fields["description"], person) }
            try await file.writing.write(pieces)
            if let text = fields["description"] { _ = try await describe(file.item, text) }
            let item = try await finish(file.item, file.writing)
            return try await answer(item, whileMade: .accepted)
        } catch {
            // There is no going on with half a form.
            if let file { _ = try? await desk.library.removeUpload(file.item.id, of: file.item.owner) }
            throw error
        }
    }

    private static let batch = 1 << 20
    private static let longestField = 16 << 10

    private func begin(
        _ name: String?, _ type: String?, _ person: Person
    ) async throws -> (item: MediaItem, writing: UploadWriting) {
        var wishes = MediaItem.Wishes()
        wishes.fileName = PlainText(name ?? "", limit: 200).value
        wishes.type = PlainText(type ?? "", limit: 100).value
        let item = try await desk.begin(wishes, length: nil, by: person)
        return (item, try await desk.write(item, at: 0, isToBeChecked: false))
    }

    /// The length is known now.
    private func finish(_ item: MediaItem, _ writing: UploadWriting) async throws -> MediaItem {
        let upload = try await writing.end(keepsAll: true)
        do throws(UploadRefusal) {
            let after = try await desk.library.announce(
                upload.offset, received: upload.offset, of: item, quota: desk.quota)
            if try await desk.library.completeUpload(item.id) { desk.work.take(item.id, of: item.owner) }
            return after
        } catch {
            throw UploadDesk.problem(error)
        }
    }

    private static var odd: Problem {
        Problem(.badRequest, "not-understood", "The form has more in it than a file and what is said of it")
    }

    private static var notFound: Problem { Problem(.notFound, "no-media", "Record not found") }
}
