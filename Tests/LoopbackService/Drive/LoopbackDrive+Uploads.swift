internal import ChirpCore
internal import ChirpHTTP
internal import Crypto

// Resumable uploads.
extension LoopbackDrive {
    func start(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        guard request.query["uploadType"] == "resumable" else {
            return Self.refusal(400, "badRequest", "This service knows resumable uploads only.")
        }
        let announced = request.headers["X-Upload-Content-Length"].flatMap { Int64($0) }
        if let limit = state.limit, state.used + (announced ?? 0) > limit { return Self.full }
        switch newFile(request, &state) {
        case .failure(let refused): return refused.reply
        case .success(var file):
            if let type = request.headers["X-Upload-Content-Type"] { file.mimeType = type }
            let id = "upload-\(RandomName(length: 40))"
            state.sessions[id] = DriveSession(file: file, fields: request.query["fields"], announced: announced)
            let address = "\(upload)/files?uploadType=resumable&upload_id=\(id)"
            return .init(200, headers: [("Location", address), ("X-GUploader-UploadID", id)])
        }
    }

    private static var full: LoopbackServer.Reply {
        refusal(403, "storageQuotaExceeded", "The user's Drive storage quota has been exceeded.")
    }

    func upload(
        _ request: LoopbackServer.Request, _ call: DriveCall, fault: DriveFault?, _ state: inout State
    ) -> LoopbackServer.Reply {
        let id = request.query["upload_id"] ?? ""
        guard var session = state.sessions[id] else { return .init(404, body: Array("Not Found".utf8)) }
        if let status = session.dead { return .init(status, body: Array("Session is gone".utf8)) }
        defer { state.sessions[id] = session }
        if call == .cancel {
            session.dead = 410
            return .init(499)
        }
        if session.isComplete { return complete(session, state) }
        var range: DriveSession.Range?
        if let text = request.headers["Content-Range"] {
            guard let read = DriveSession.Range(text) else {
                return Self.refusal(400, "badContentRange", "Failed to parse Content-Range header.")
            }
            range = read
        }
        if call == .status { return progress(session) }
        guard let total = range == nil ? request.bodyCount : range?.total ?? session.announced else {
            return take(request, range, total: nil, fault, &session, &state)
        }
        return take(request, range, total: total, fault, &session, &state)
    }

    private func take(
        _ request: LoopbackServer.Request, _ range: DriveSession.Range?, total: Int64?, _ fault: DriveFault?,
        _ session: inout DriveSession, _ state: inout State
    ) -> LoopbackServer.Reply {
        let first = range?.first ?? 0
        guard first <= session.received else {
            return Self.refusal(400, "invalid", "There is a gap before this chunk.")
        }
        // What a client sends again is passed over.
        let known = Int(session.received - first)
        var fresh = request.body.dropFirst(known)
        let announced = request.headers["Content-Length"].flatMap { Int64($0) } ?? request.bodyCount
        let isWhole = announced == request.bodyCount
        let isLast = total.map { first + announced == $0 } ?? false
        if isWhole, !isLast, announced % DriveSession.unit != 0 {
            return Self.refusal(400, "invalid", "A chunk must be a multiple of 262144 bytes.")
        }
        if let claimedSHA256 {
            session.received += request.bodyCount - Int64(known)
            session.file.sha256 = claimedSHA256
            return isWhole && isLast ? commit(&session, &state) : progress(session)
        }
        if case .keep(let bytes) = fault { fresh = fresh.prefix(bytes) }
        if case .damage = fault, let index = fresh.indices.first { fresh[index] ^= 1 }
        let isAll = isWhole && isLast && fresh.count == Int(request.bodyCount) - known
        if !isAll { fresh = fresh.prefix(fresh.count / Int(DriveSession.unit) * Int(DriveSession.unit)) }
        if let limit = state.limit, state.used + session.received + Int64(fresh.count) > limit { return Self.full }
        session.hash.update(data: Array(fresh))
        session.received += Int64(fresh.count)
        session.file.content += fresh
        guard isAll else { return progress(session) }
        return commit(&session, &state)
    }

    private func commit(_ session: inout DriveSession, _ state: inout State) -> LoopbackServer.Reply {
        guard state.files[session.file.id] == nil else {
            return Self.refusal(409, "fileIdInUse", "A file already exists with the provided ID.")
        }
        session.file.size = session.received
        if claimedSHA256 == nil {
            session.file.md5 = hexadecimal(session.hash.finalize())
            session.file.sha256 = hexadecimal(SHA256.hash(data: session.file.content))
        }
        if !state.tellsSHA256 { session.file.sha256 = "" }
        session.isComplete = true
        state.files[session.file.id] = session.file
        session.file.content = []
        return complete(session, state)
    }

    private func complete(_ session: DriveSession, _ state: State) -> LoopbackServer.Reply {
        let file = state.files[session.file.id] ?? session.file
        return Self.masked(file.resource(web: base), session.fields, usual: "kind,id,name,mimeType")
    }

    private func progress(_ session: DriveSession) -> LoopbackServer.Reply {
        .init(308, headers: session.received > 0 ? [("Range", "bytes=0-\(session.received - 1)")] : [])
    }
}
