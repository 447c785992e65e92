import ChirpCore
internal import ChirpHTTP
internal import Foundation
internal import Synchronization

/// A WebDAV folder in memory, with a limit and faults on demand; real servers have neither.
public final class LoopbackWebDAV: Sendable {
    private struct State {
        var exists = false
        var files: [String: [UInt8]] = [:]
        var limit: Int64?
        var faults: [(method: String, fault: WebDAVFault)] = []
    }

    public static let (user, password) = ("chirp", "loopback-password")
    private static let path = "/dav/clips/"

    private let state = Mutex(State())
    private let listening = Mutex<LoopbackServer?>(nil)
    private let port: UInt16

    public init() throws {
        let box = WeakWebDAV()
        let server = try LoopbackServer(
            gate: { method, _, _ in box.service?.gate(method) ?? .read },
            handler: { request in box.service?.answer(request) ?? .init(503) })
        port = server.port
        listening.withLock { $0 = server }
        box.set(self)
    }

    deinit { close() }

    public func close() { listening.withLock { $0?.close() } }
    public var folder: String { "http://127.0.0.1:\(port)\(Self.path)" }
    public func setLimit(_ limit: Int64?) { state.withLock { $0.limit = limit } }
    /// Lets something go wrong, once.
    public func plan(_ fault: WebDAVFault, at method: String) { state.withLock { $0.faults.append((method, fault)) } }
    public var plannedFaults: Int { state.withLock { $0.faults.count } }
    public var names: [String] { state.withLock { $0.files.keys.sorted() } }
    public var requests: [LoopbackServer.Request] { listening.withLock { $0?.requests ?? [] } }

    private func gate(_ method: String) -> LoopbackServer.Gate {
        let bytes: Int? = state.withLock { state in
            guard let index = state.faults.firstIndex(where: { $0.method == method }),
                case .reset(let bytes) = state.faults[index].fault
            else { return nil }
            state.faults.remove(at: index)
            return bytes
        }
        return bytes.map { .reset(afterBytes: $0, handOver: true) } ?? .read
    }

    private func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        state.withLock { state in
            let announced = request.headers["Content-Length"].flatMap { Int64($0) } ?? request.bodyCount
            var fault: WebDAVFault?
            if announced == request.bodyCount,
                let index = state.faults.firstIndex(where: { $0.method == request.method })
            {
                fault = state.faults.remove(at: index).fault
            }
            if case .refusal(let status, let retryAfter) = fault {
                return .init(status, headers: retryAfter.map { [("Retry-After", $0)] } ?? [])
            }
            let pair = Data("\(Self.user):\(Self.password)".utf8).base64EncodedString()
            guard request.headers["Authorization"] == "Basic \(pair)" else { return .init(401) }
            let reply = reply(to: request, &state)
            return fault == .lost ? reply.lost : reply
        }
    }

    private func reply(to request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        if request.path == Self.path { return collection(request, &state) }
        guard request.path.hasPrefix(Self.path) else { return .init(request.method == "MKCOL" ? 201 : 404) }
        let name = PercentEncoding.decode(request.path.dropFirst(Self.path.count))
        switch request.method {
        case "PUT":
            guard state.exists else { return .init(409) }
            let others = state.files.filter { $0.key != name }.values.reduce(0) { $0 + Int64($1.count) }
            if let limit = state.limit, others + request.bodyCount > limit { return .init(507) }
            return state.files.updateValue(request.body, forKey: name) == nil ? .init(201) : .init(204)
        case "PROPFIND":
            guard let content = state.files[name] else { return .init(404) }
            return Self.properties(request.path, "<d:getcontentlength>\(content.count)</d:getcontentlength>")
        case "GET":
            guard let content = state.files[name] else { return .init(404) }
            return .init(200, headers: [("Content-Type", "audio/mpeg")], body: content)
        case "DELETE": return state.files.removeValue(forKey: name) == nil ? .init(404) : .init(204)
        case "MOVE":
            guard let content = state.files[name] else { return .init(404) }
            guard let target = request.headers["Destination"], target.hasPrefix(folder) else { return .init(502) }
            let new = PercentEncoding.decode(target.dropFirst(folder.count))
            guard state.files[new] == nil || request.headers["Overwrite"] != "F" else { return .init(412) }
            state.files[name] = nil
            state.files[new] = content
            return .init(201)
        default: return .init(405)
        }
    }

    private func collection(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        switch request.method {
        case "MKCOL":
            defer { state.exists = true }
            return .init(state.exists ? 405 : 201)
        case "PROPFIND":
            guard state.exists else { return .init(404) }
            let used = state.files.values.reduce(0) { $0 + Int64($1.count) }
            var room = "<d:quota-used-bytes>\(used)</d:quota-used-bytes>"
            if let limit = state.limit {
                room += "<d:quota-available-bytes>\(max(limit - used, 0))</d:quota-available-bytes>"
            }
            return Self.properties(Self.path, room)
        default: return .init(405)
        }
    }

    private static func properties(_ path: String, _ properties: String) -> LoopbackServer.Reply {
        let text =
            "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\"><d:response><d:href>\(path)</d:href><d:propstat>"
            + "<d:prop>\(properties)</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>"
        return .init(207, headers: [("Content-Type", "application/xml")], body: Array(text.utf8))
    }
}

/// Lets the server's closures reach the service that is made after them.
private final class WeakWebDAV: Sendable {
    private struct Box { weak var service: LoopbackWebDAV? }
    private let box = Mutex(Box())
    var service: LoopbackWebDAV? { box.withLock { $0.service } }
    func set(_ service: LoopbackWebDAV) { box.withLock { $0.service = service } }
}
