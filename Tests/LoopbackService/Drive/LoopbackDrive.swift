import ChirpCore
internal import ChirpHTTP
internal import Foundation
internal import Synchronization

/// Google Drive as a client sees it, on 127.0.0.1: the part of API v3 that Chirp uses, with its quirks, a limit, and faults
/// on demand. Every request is kept for assertions.
public final class LoopbackDrive: Sendable {
    struct State {
        var files: [String: DriveFile] = [:]
        var sessions: [String: DriveSession] = [:]
        /// Ids that were given out, and those of deleted files.
        var issued: Set<String> = []
        var limit: Int64?
        /// Used by others: mail, photos.
        var otherUse: Int64 = 0
        var faults: [(call: DriveCall, fault: DriveFault)] = []
        var token = LoopbackDrive.token
        var created = 0
        var mayShare = true
        var tellsQuota = true
        var tellsSHA256 = true
        var pageSize = 100

        var used: Int64 { files.values.reduce(otherUse) { $0 + $1.size } }
    }

    /// What the service takes as a valid access token in the beginning.
    public static let token = "loopback-access-token"

    let state: Mutex<State>
    /// Claimed for all content, of which nothing is kept.
    let claimedSHA256: String?
    private let isToken: (@Sendable (String) -> Bool)?
    private let listening = Mutex<LoopbackServer?>(nil)
    public let port: UInt16

    /// - Parameters:
    ///   - limit: of the account in bytes; nil for unlimited storage.
    ///   - claimedSHA256: for measuring: nothing of what is sent is kept or hashed, and this is claimed to be its SHA-256.
    ///   - isToken: which access tokens are valid; by default ``token`` until ``replaceToken(by:)``.
    public init(
        limit: Int64? = nil, discardingContentOf claimedSHA256: String? = nil, port: UInt16 = 0,
        isToken: (@Sendable (String) -> Bool)? = nil
    ) throws {
        state = Mutex(State(limit: limit))
        self.claimedSHA256 = claimedSHA256
        self.isToken = isToken
        let box = WeakDrive()
        let server = try LoopbackServer(
            port: port, recordsContent: claimedSHA256 == nil,
            gate: { method, path, headers in box.drive?.gate(method, path, headers) ?? .read },
            handler: { request in box.drive?.answer(request) ?? .init(503) })
        self.port = server.port
        listening.withLock { $0 = server }
        box.set(self)
    }

    deinit { close() }

    public func close() { listening.withLock { $0?.close() } }

    public var base: String { "http://127.0.0.1:\(port)" }
    /// As `CHIRP_DRIVE_API_URL`.
    public var api: String { base + "/drive/v3" }
    /// As `CHIRP_DRIVE_UPLOAD_URL`.
    public var upload: String { base + "/upload/drive/v3" }

    // MARK: what tests do and see

    /// Lets something go wrong, once; several of one kind in their order.
    public func plan(_ fault: DriveFault, at call: DriveCall) {
        state.withLock { $0.faults.append((call, fault)) }
    }

    /// Nothing that was planned happens any more.
    public func forgetFaults() { state.withLock { $0.faults = [] } }
    /// Faults that have not happened yet.
    public var plannedFaults: Int { state.withLock { $0.faults.count } }

    public func setLimit(_ limit: Int64?) { state.withLock { $0.limit = limit } }
    public func setOtherUse(_ bytes: Int64) { state.withLock { $0.otherUse = bytes } }
    /// Whether `about` says anything about storage.
    public func setTellsQuota(_ tells: Bool) { state.withLock { $0.tellsQuota = tells } }
    /// Whether files have a SHA-256, which Drive promises only "if available".
    public func setTellsSHA256(_ tells: Bool) { state.withLock { $0.tellsSHA256 = tells } }
    /// Whether the organization allows links for anyone.
    public func setMayShare(_ may: Bool) { state.withLock { $0.mayShare = may } }
    public func setPageSize(_ count: Int) { state.withLock { $0.pageSize = count } }
    /// The old token expires.
    public func replaceToken(by token: String) { state.withLock { $0.token = token } }
    /// Ends all upload sessions, as a week does.
    public func endSessions(status: Int = 404) {
        state.withLock { state in for id in state.sessions.keys { state.sessions[id]?.dead = status } }
    }
    public func change(_ id: String, _ body: @Sendable (inout DriveFile) -> Void) {
        state.withLock { state in
            guard var file = state.files[id] else { return }
            body(&file)
            state.files[id] = file
        }
    }

    /// Files and folders, oldest first.
    public var files: [DriveFile] { state.withLock { $0.files.values.sorted { $0.created < $1.created } } }
    public var clips: [DriveFile] { files.filter { !$0.isFolder } }
    public var folders: [DriveFile] { files.filter(\.isFolder) }
    public var sessionCount: Int { state.withLock { $0.sessions.count } }

    /// Whether anyone with the link can read it, by itself or through its folder.
    public func isPublic(_ id: String) -> Bool { state.withLock { Self.isPublic(id, $0) } }

    public var requests: [LoopbackServer.Request] { listening.withLock { $0?.requests ?? [] } }
    /// What was asked, in order.
    public var calls: [DriveCall] {
        requests.map { DriveCall(method: $0.method, path: $0.path, headers: $0.headers) }
    }
    public func count(_ calls: DriveCall...) -> Int { self.calls.filter { calls.contains($0) }.count }
    /// Content that came in upload sessions, repetitions included.
    public var uploadedBytes: Int64 {
        requests.filter { DriveCall(method: $0.method, path: $0.path, headers: $0.headers) == .chunk }
            .reduce(0) { $0 + $1.bodyCount }
    }

    // MARK: answering

    private func gate(_ method: String, _ path: String, _ headers: HTTPHeaders) -> LoopbackServer.Gate {
        let call = DriveCall(method: method, path: path, headers: headers)
        let bytes: Int? = state.withLock { state in
            guard let index = state.faults.firstIndex(where: { $0.call == call }),
                case .reset(let bytes) = state.faults[index].fault
            else { return nil }
            state.faults.remove(at: index)
            return bytes
        }
        return bytes.map { .reset(afterBytes: $0, handOver: true) } ?? .read
    }

    private func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let call = DriveCall(method: request.method, path: request.path, headers: request.headers)
        return state.withLock { state in
            let isWhole =
                request.headers["Content-Length"].flatMap { Int64($0) }.map { $0 == request.bodyCount } ?? true
            guard isWhole || call == .chunk else {
                return Self.refusal(400, "parseError", "The content is incomplete.")
            }
            var fault: DriveFault?
            if isWhole, let index = state.faults.firstIndex(where: { $0.call == call }) {
                fault = state.faults.remove(at: index).fault
            }
            switch fault {
            case .refusal(let status, let reason, let retryAfter):
                var reply = Self.refusal(status, reason, "planned")
                if let retryAfter { reply.headers.append(("Retry-After", retryAfter)) }
                return reply
            case .page(let status):
                return .init(status, headers: [("Content-Type", "text/html")], body: Array("<html>".utf8))
            case .filledUp: state.limit = state.used
            case .deadSession(let status): state.sessions[request.query["upload_id"] ?? ""]?.dead = status
            default: break
            }
            guard call == .chunk || call == .status || call == .cancel || call == .web || isAuthorized(request, state)
            else { return Self.refusal(401, "authError", "Invalid Credentials") }
            let reply = self.reply(to: request, call, fault: fault, &state)
            return fault == .lost ? reply.lost : reply
        }
    }

    private func isAuthorized(_ request: LoopbackServer.Request, _ state: State) -> Bool {
        guard let text = request.headers["Authorization"], text.hasPrefix("Bearer ") else { return false }
        let token = String(text.dropFirst(7))
        return isToken?(token) ?? (token == state.token)
    }

    private func reply(
        to request: LoopbackServer.Request, _ call: DriveCall, fault: DriveFault?, _ state: inout State
    ) -> LoopbackServer.Reply {
        let parts = request.path.split(separator: "/").map { PercentEncoding.decode($0) }
        let id = parts.count > 3 ? parts[3] : ""
        switch call {
        case .about: return about(request, state)
        case .generateIDs: return generateIDs(request, &state)
        case .list: return list(request, state)
        case .create: return create(request, &state)
        case .get: return get(id, request, state)
        case .patch: return patch(id, request, &state)
        case .delete: return delete(id, &state)
        case .permissions, .permit, .unpermit: return permission(call, id, parts, request, &state)
        case .start: return start(request, &state)
        case .chunk, .status, .cancel: return upload(request, call, fault: fault, &state)
        case .web: return web(parts, request, state)
        case .other: return Self.refusal(404, "notFound", "Not Found")
        }
    }

    // MARK: helpers of the answers

    static func refusal(_ status: Int, _ reason: String, _ message: String) -> LoopbackServer.Reply {
        let error: [String: Any] = [
            "code": status, "message": message,
            "errors": [["domain": "global", "reason": reason, "message": message]],
        ]
        return json(status, ["error": error])
    }

    static func json(_ status: Int, _ object: Any) -> LoopbackServer.Reply {
        let data = (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])) ?? Data()
        return .json(status, String(decoding: data, as: UTF8.self))
    }

    /// An object cut down to what `fields` asks for; 400 when that cannot be read.
    static func masked(_ object: [String: Any], _ fields: String?, usual: String) -> LoopbackServer.Reply {
        guard let mask = FieldMask(fields ?? usual) else { return refusal(400, "invalidParameter", "Invalid field") }
        return json(200, mask.applied(to: object))
    }

    static func isPublic(_ id: String, _ state: State) -> Bool {
        guard let file = state.files[id], !file.isTrashed else { return false }
        if file.permissions.contains(where: { $0.type == "anyone" }) { return true }
        return file.parents.contains { isPublic($0, state) }
    }

    static func object(_ request: LoopbackServer.Request) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    }
}

/// Lets the server's closures reach the drive that is made after them.
private final class WeakDrive: Sendable {
    private struct Box { weak var drive: LoopbackDrive? }
    private let box = Mutex(Box())
    var drive: LoopbackDrive? { box.withLock { $0.drive } }
    func set(_ drive: LoopbackDrive) { box.withLock { $0.drive = drive } }
}
