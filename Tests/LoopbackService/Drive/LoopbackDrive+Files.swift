internal import ChirpCore
internal import ChirpHTTP

// Everything about files but their content.
extension LoopbackDrive {
    func about(_ request: LoopbackServer.Request, _ state: State) -> LoopbackServer.Reply {
        guard let fields = request.query["fields"] else {
            return Self.refusal(400, "required", "The 'fields' parameter is required for this method.")
        }
        var quota = ["usage": "\(state.used)", "usageInDrive": "\(state.used - state.otherUse)"]
        if let limit = state.limit { quota["limit"] = "\(limit)" }
        var about: [String: Any] = ["kind": "drive#about", "user": ["displayName": "Loopback"]]
        if state.tellsQuota { about["storageQuota"] = quota }
        return Self.masked(about, fields, usual: "*")
    }

    func generateIDs(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        let count = Int(request.query["count"] ?? "10") ?? 0
        guard (1...1000).contains(count) else { return Self.refusal(400, "invalidParameter", "Invalid count") }
        let ids = (0..<count).map { _ in "1\(RandomName(length: 32))" }
        state.issued.formUnion(ids)
        return Self.json(200, ["kind": "drive#generatedIds", "space": "drive", "ids": ids])
    }

    func list(_ request: LoopbackServer.Request, _ state: State) -> LoopbackServer.Reply {
        var matching = state.files.values.sorted { $0.created < $1.created }
        if let text = request.query["q"] {
            guard let query = DriveQuery(text) else { return Self.refusal(400, "invalid", "Invalid Value") }
            matching = matching.filter { query.matches($0) }
        }
        // As the live service may: a page can be empty and still have a next one.
        let size = min(Int(request.query["pageSize"] ?? "100") ?? 100, state.pageSize)
        let offset = Int(request.query["pageToken"] ?? "0") ?? 0
        let end = min(offset + size, matching.count)
        let page = offset < end ? matching[offset..<end] : []
        var answer: [String: Any] = ["kind": "drive#fileList", "files": page.map { $0.resource(web: base) }]
        if offset + size < matching.count { answer["nextPageToken"] = "\(offset + size)" }
        return Self.masked(answer, request.query["fields"], usual: "kind,nextPageToken,files(kind,id,name,mimeType)")
    }

    /// A file's metadata from a request, checked as the service checks it.
    func newFile(
        _ request: LoopbackServer.Request, _ state: inout State
    ) -> Result<DriveFile, RefusedFile> {
        let object = Self.object(request)
        for key in ["webViewLink", "md5Checksum", "sha256Checksum", "size", "shared"] where object[key] != nil {
            return .failure(RefusedFile(Self.refusal(403, "fieldNotWritable", "\(key) is not writable")))
        }
        let given = object["id"] as? String
        if let given {
            guard state.issued.contains(given) else {
                return .failure(RefusedFile(Self.refusal(400, "invalid", "The provided file ID is not usable.")))
            }
            guard state.files[given] == nil else {
                return .failure(RefusedFile(Self.refusal(409, "fileIdInUse", "A file already exists with this ID.")))
            }
        }
        let parents = object["parents"] as? [String] ?? ["root"]
        if let absent = parents.first(where: { $0 != "root" && state.files[$0] == nil }) {
            return .failure(RefusedFile(Self.refusal(404, "notFound", "File not found: \(absent).")))
        }
        state.created += 1
        let number = "\(state.created)"
        let instant = "2026-01-01T00:00:00.\(String(repeating: "0", count: max(0, 9 - number.count)) + number)Z"
        return .success(
            DriveFile(
                id: given ?? "1\(RandomName(length: 32))", name: object["name"] as? String ?? "Untitled",
                mimeType: object["mimeType"] as? String ?? "application/octet-stream", parents: parents,
                appProperties: object["appProperties"] as? [String: String] ?? [:], created: instant))
    }

    struct RefusedFile: Error {
        let reply: LoopbackServer.Reply
        init(_ reply: LoopbackServer.Reply) { self.reply = reply }
    }

    func create(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        switch newFile(request, &state) {
        case .failure(let refused): return refused.reply
        case .success(let file):
            state.files[file.id] = file
            return Self.masked(file.resource(web: base), request.query["fields"], usual: "kind,id,name,mimeType")
        }
    }

    func get(_ id: String, _ request: LoopbackServer.Request, _ state: State) -> LoopbackServer.Reply {
        guard let file = state.files[id] else { return Self.refusal(404, "notFound", "File not found: \(id).") }
        if request.query["alt"] == "media" { return content(file, request) }
        return Self.masked(file.resource(web: base), request.query["fields"], usual: "kind,id,name,mimeType")
    }

    private func content(_ file: DriveFile, _ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let type = ("Content-Type", file.mimeType)
        guard let range = request.headers["Range"], let start = Int(range.dropFirst(6).prefix { $0 != "-" }) else {
            return .init(200, headers: [type], body: file.content)
        }
        guard start < file.content.count else { return Self.refusal(416, "requestedRangeNotSatisfiable", "Range") }
        let total = file.content.count
        return .init(
            206, headers: [type, ("Content-Range", "bytes \(start)-\(total - 1)/\(total)")],
            body: Array(file.content[start...]))
    }

    func patch(_ id: String, _ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        guard var file = state.files[id] else { return Self.refusal(404, "notFound", "File not found: \(id).") }
        let object = Self.object(request)
        if let name = object["name"] as? String { file.name = name }
        if let trashed = object["trashed"] as? Bool { file.isTrashed = trashed }
        if let properties = object["appProperties"] as? [String: String] {
            file.appProperties.merge(properties) { $1 }
        }
        state.files[id] = file
        return Self.masked(file.resource(web: base), request.query["fields"], usual: "kind,id,name,mimeType")
    }

    func delete(_ id: String, _ state: inout State) -> LoopbackServer.Reply {
        guard state.files.removeValue(forKey: id) != nil else {
            return Self.refusal(404, "notFound", "File not found: \(id).")
        }
        state.files = state.files.filter { !$0.value.parents.contains(id) }
        return .init(204)
    }

    func permission(
        _ call: DriveCall, _ id: String, _ parts: [String], _ request: LoopbackServer.Request, _ state: inout State
    ) -> LoopbackServer.Reply {
        guard var file = state.files[id] else { return Self.refusal(404, "notFound", "File not found: \(id).") }
        switch call {
        case .permit:
            let object = Self.object(request)
            guard let type = object["type"] as? String, let role = object["role"] as? String,
                request.query["sendNotificationEmail"] == nil || type != "anyone"
            else { return Self.refusal(400, "badRequest", "Bad Request") }
            guard state.mayShare else {
                return Self.refusal(403, "publishOutNotPermitted", "The domain administrators have disabled sharing.")
            }
            let permission = DriveFile.Permission(
                id: type == "anyone" ? "anyoneWithLink" : "\(RandomName(length: 20))", type: type, role: role)
            file.permissions.removeAll { $0.id == permission.id }
            file.permissions.append(permission)
            state.files[id] = file
            return Self.masked(
                ["kind": "drive#permission", "id": permission.id, "type": type, "role": role],
                request.query["fields"], usual: "kind,id,type,role")
        case .unpermit:
            guard file.permissions.contains(where: { $0.id == parts[5] }) else {
                return Self.refusal(404, "notFound", "Permission not found: \(parts[5]).")
            }
            file.permissions.removeAll { $0.id == parts[5] }
            state.files[id] = file
            return .init(204)
        default:
            let list = file.permissions.map {
                ["kind": "drive#permission", "id": $0.id, "type": $0.type, "role": $0.role]
            }
            return Self.masked(["permissions": list], request.query["fields"], usual: "*")
        }
    }

    /// What a browser without an account gets.
    func web(_ parts: [String], _ request: LoopbackServer.Request, _ state: State) -> LoopbackServer.Reply {
        let page = [("Content-Type", "text/html; charset=utf-8")]
        let id = parts.first == "file" && parts.count > 2 ? parts[2] : request.query["id"] ?? ""
        guard let file = state.files[id], Self.isPublic(id, state) else {
            return .init(404, headers: page, body: Array("<html><title>Not found</title></html>".utf8))
        }
        switch parts.first {
        case "uc":
            let target = "\(base)/download?id=\(id)&export=download"
            return .init(303, headers: [("Location", target)])
        case "download": return content(file, request)
        default: return .init(200, headers: page, body: Array("<html><title>Drive</title></html>".utf8))
        }
    }
}
