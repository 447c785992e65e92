internal import ChirpCore
internal import ChirpHTTP

extension MastodonNetwork {
    private struct NewStatus: Encodable {
        var status: String
        var visibility: String?
        var language: String?
        var spoiler_text: String?
        var media_ids: [String]?
    }

    public func publish(_ draft: Draft) async throws(NetworkError) -> Post? {
        if Task.isCancelled { throw .cancelled }
        if draft.isRepetition, let found = try await posted(draft) { return found }
        let rules = try await textRules()
        let count = rules.count(draft.text)
        guard count <= rules.limit else {
            throw .refused(status: 422, detail: "the text counts \(count), at most \(rules.limit) is allowed")
        }
        var status = NewStatus(
            status: draft.text, visibility: settings.visibility?.rawValue, language: settings.language,
            spoiler_text: settings.contentWarning)
        if settings.attachesClip, let clip = draft.attachment { status.media_ids = [try await upload(clip)] }
        var request = HTTPRequest(.post, client.address("v1", "statuses"), json: status, isRepeatable: true)
        request.headers["Idempotency-Key"] = draft.key.text
        return try await client.get(MastodonStatus.self, request).post
    }

    /// The post of an earlier attempt, among the newest of the account. Without a link there is nothing to know it by.
    private func posted(_ draft: Draft) async throws(NetworkError) -> Post? {
        guard !draft.link.isEmpty else { return nil }
        let me = try await me()
        let page = client.address(
            "v1", "accounts", me.id.text, "statuses", fields: ["limit": "40", "exclude_reblogs": "true"])
        return try await client.get([MastodonStatus].self, HTTPRequest(.get, page)).lazy
            .map(\.post).first { $0.links.contains(draft.link) || $0.text.contains(draft.link) }
    }

    public func remove(_ id: Post.ID) async throws(NetworkError) {
        let response = try await client.send(HTTPRequest(.delete, client.address("v1", "statuses", id.text)))
        guard response.isSuccess || response.status == 404 || response.status == 410 else {
            throw client.refusal(response)
        }
    }

    public func expire(_ id: Post.ID) async throws(NetworkError) {
        guard settings.onExpiry == .edit else { return try await remove(id) }
        let status = NewStatus(
            status: "The clip that was here has expired.", language: settings.language == nil ? nil : "en",
            spoiler_text: settings.contentWarning)
        let response = try await client.send(
            HTTPRequest(.put, client.address("v1", "statuses", id.text), json: status))
        guard response.isSuccess || response.status == 404 || response.status == 410 else {
            throw client.refusal(response)
        }
    }

    // MARK: media

    private struct Media: Decodable {
        let id: String
    }

    /// How often to ask whether a clip has been taken in, a second apart.
    private static let maximumQuestions = 120

    /// Sends the clip and waits until it can be attached. One that was sent twice is forgotten by the instance.
    private func upload(_ clip: Draft.Attachment) async throws(NetworkError) -> String {
        let boundary = "chirp-\(RandomName(length: 24))"
        let description = PlainText(clip.description, limit: 1500).value
        let body =
            HTTPBody.text(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\n\(description)\r\n"
                    + "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"clip.mp3\"\r\n"
                    + "Content-Type: audio/mpeg\r\n\r\n")
            + .file(path: clip.path, count: clip.bytes) + .text("\r\n--\(boundary)--\r\n")
        let request = HTTPRequest(
            .post, client.address("v2", "media"),
            headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"], body: body, isRepeatable: true)
        var response = try await client.send(request)
        let media = try client.decoded(Media.self, response)
        var questions = 0
        while response.status == 202 || response.status == 206 {
            guard questions < Self.maximumQuestions else {
                throw .unreachable("\(client.instance.host) is still busy with the clip")
            }
            guard await client.pause.wait(.seconds(1)) else { throw .cancelled }
            response = try await client.send(HTTPRequest(.get, client.address("v1", "media", media.id)))
            guard response.isSuccess else { throw client.refusal(response) }
            questions += 1
        }
        return media.id
    }
}
