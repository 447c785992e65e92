internal import ChirpCore
internal import ChirpHTTP

/// One upload in parts ("Uploading and copying objects using multipart upload", Amazon S3 User Guide).
///
/// A temporary failure ends it; the next attempt, in this process or another, asks for the parts that have arrived and goes on with the
/// others. The session names the file by its checksum beside the upload, so parts of a file that was made anew since are never put
/// together with others.
struct S3Upload: Sendable {
    let bucket: S3Bucket
    let payload: Payload
    let plan: S3Parts
    let id: StoredObject.ID
    let checkpoint: UploadCheckpoint

    /// Returns when the object is there; false when its name is taken, perhaps by an earlier attempt whose answer was lost.
    func run() async throws(StoreError) -> Bool {
        var known = session(checkpoint.session)
        for _ in 0..<3 {
            let upload: String
            var tags: [Int: String] = [:]
            if let resumed = known, let kept = try await bucket.parts(of: resumed, id, plan.parts) {
                (upload, tags) = (resumed, kept)
            } else {
                // The end of an earlier attempt may have lost its answer, and with it the upload.
                if known != nil, try await bucket.object(id) != nil { return false }
                upload = try await begin()
            }
            await record(upload, tags)
            if try await send(upload, &tags), let isMade = try await complete(upload, tags) { return isMade }
            known = nil
        }
        throw .unreachable("\(bucket.settings.endpoint.host) loses the upload again and again")
    }

    /// Ends what earlier attempts have begun and not written down, and begins anew.
    private func begin() async throws(StoreError) -> String {
        try await bucket.abandon(id)
        var request = HTTPRequest(.post, bucket.address(id).adding(["uploads": ""]))
        for (name, value) in bucket.description(of: payload) { request.headers[name] = value }
        let response = try await bucket.send(request)
        guard response.isSuccess else { throw bucket.refusal(response, needed: ByteCount(payload.bytes)) }
        // Not every service calls the answer `InitiateMultipartUploadResult`.
        guard let upload = S3Answer(response.body)?["UploadId"], Self.isUpload(upload) else {
            throw .unreachable("\(bucket.settings.endpoint.host) does not answer as an S3 service does")
        }
        return upload
    }

    /// Sends the parts that are missing; false when the upload is over.
    private func send(_ upload: String, _ tags: inout [Int: String]) async throws(StoreError) -> Bool {
        for part in plan.parts where tags[part.number] == nil {
            if Task.isCancelled { throw .cancelled }
            let address = bucket.address(id).adding(["partNumber": String(part.number), "uploadId": upload])
            let response = try await bucket.send(
                bucket.content(of: payload, part, to: address, sent: checkpoint.sent))
            if response.status == 404 { return false }
            guard response.isSuccess else { throw bucket.refusal(response, needed: ByteCount(payload.bytes)) }
            guard let tag = response.headers["ETag"], S3Bucket.isTag(tag) else {
                throw .refused(status: response.status, detail: "\(bucket.settings.endpoint.host) gives a part no tag")
            }
            tags[part.number] = tag
            await record(upload, tags)
        }
        return true
    }

    /// Puts the parts together; false when the name is taken, nil when the upload is over or its parts are not what was sent.
    private func complete(_ upload: String, _ tags: [Int: String]) async throws(StoreError) -> Bool? {
        let parts = plan.parts.map {
            "<Part><PartNumber>\($0.number)</PartNumber><ETag>\(tags[$0.number] ?? "")</ETag></Part>"
        }
        let request = HTTPRequest(
            .post, bucket.address(id).adding(["uploadId": upload]), headers: ["Content-Type": "application/xml"],
            body: .text(
                #"<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"# + parts.joined()
                    + "</CompleteMultipartUpload>"))
        let response = try await bucket.unlessTaken(request)
        let answer = S3Answer(response.body)
        switch (response.status, answer?.name, answer?["Code"]) {
        case (200...299, "CompleteMultipartUploadResult", _): return true
        case (412, _, _): return false
        case (404, _, _), (_, "Error", "NoSuchUpload"): return try await bucket.object(id) == nil ? nil : false
        case (_, "Error", "InvalidPart"), (_, "Error", "InvalidPartOrder"):
            try await bucket.abandon(id)
            return nil
        // The status comes before the work is done, and what came of it in the content.
        case (200...299, "Error", _):
            throw bucket.refusal(
                HTTPResponse(status: 500, headers: response.headers, body: response.body),
                needed: ByteCount(payload.bytes))
        case (200...299, _, _): throw .unreachable("\(bucket.settings.endpoint.host) breaks off its answer")
        default: throw bucket.refusal(response, needed: ByteCount(payload.bytes))
        }
    }

    // MARK: the session

    private func record(_ upload: String, _ tags: [Int: String]) async {
        let confirmed = plan.parts.reduce(Int64(0)) { $0 + (tags[$1.number] == nil ? 0 : $1.count) }
        await checkpoint.record("\(payload.sha256) \(plan.partBytes) \(upload)", confirmed)
    }

    /// The upload of a session; nil when it is one of another file, or of the same in other parts.
    private func session(_ text: String?) -> String? {
        let words = (text ?? "").split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[0] == payload.sha256, words[1] == String(plan.partBytes) else { return nil }
        return Self.isUpload(words[2]) ? String(words[2]) : nil
    }

    private static func isUpload(_ text: some StringProtocol) -> Bool {
        (1...2048).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension S3Bucket {
    /// Gives up every upload of an object, and the parts that it has.
    func abandon(_ id: StoredObject.ID) async throws(StoreError) {
        let begun: [Begun]
        do throws(StoreError) { begun = try await self.begun(id) } catch {
            // Not every service and not every key lists them; then they are the service's to clean up.
            guard error.isPermanent else { throw error }
            return
        }
        for one in begun { try await abandon(one) }
    }

    func abandon(_ begun: Begun) async throws(StoreError) {
        guard let id = id(ofKey: begun.key) else { return }
        let response = try await send(HTTPRequest(.delete, address(id).adding(["uploadId": begun.upload])))
        guard response.isSuccess || response.status == 404 else { throw refusal(response) }
    }
}
