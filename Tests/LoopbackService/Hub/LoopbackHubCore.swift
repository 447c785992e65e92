internal import ChirpCore
internal import ChirpHTTP
internal import Crypto
internal import Foundation
internal import Synchronization

/// The loopback hub itself, which the server's handler owns.
final class LoopbackHubCore: Sendable {
    struct Upload {
        let id: String
        let metadata: [String: String]
        let length: Int
        var content: [UInt8] = []
        /// Questions that are answered with "checking" yet; nil before all is there.
        var checks: Int?
        var refusal: String?
        var isReady = false
    }

    struct State {
        var uploads: [Upload] = []
        var clips: [LoopbackHub.Clip] = []
        var limit: Int64?
        var checks: (count: Int, retryAfter: String?) = (0, nil)
        var refusal: String?
        var replaces = false
        var faults: [(call: HubCall, fault: HubFault)] = []

        var used: Int64 { clips.reduce(0) { $0 + Int64($1.bytes.count) } }
        var room: Int64 { limit ?? 1_000_000_000_000 }
    }

    let state: Mutex<State>

    init(limit: Int64?) { state = Mutex(State(limit: limit)) }

    // MARK: answering

    func gate(_ method: String, _ path: String) -> LoopbackServer.Gate {
        guard let call = HubCall(method: method, path: path) else { return .read }
        let bytes: Int? = state.withLock { state in
            guard let index = state.faults.firstIndex(where: { $0.call == call }),
                case .reset(let bytes) = state.faults[index].fault
            else { return nil }
            state.faults.remove(at: index)
            return bytes
        }
        return bytes.map { .reset(afterBytes: $0, handOver: true) } ?? .read
    }

    /// Nil for what is none of the hub's own API.
    func reply(to request: LoopbackServer.Request, isSignedIn: () -> Bool) -> LoopbackServer.Reply? {
        guard let call = HubCall(method: request.method, path: request.path) else { return nil }
        guard call == .sound || isSignedIn() else { return Self.problem(401, "The access token is invalid") }
        return state.withLock { state in
            let isWhole =
                request.headers["Content-Length"].flatMap { Int64($0) }.map { $0 == request.bodyCount } ?? true
            var fault: HubFault?
            if isWhole, let index = state.faults.firstIndex(where: { $0.call == call }) {
                fault = state.faults.remove(at: index).fault
            }
            switch fault {
            case .refusal(let status, let retryAfter):
                var reply = Self.problem(status, "planned")
                if let retryAfter { reply.headers.append(("Retry-After", retryAfter)) }
                return reply
            case .page(let status):
                return .init(status, headers: [("Content-Type", "text/html")], body: Array("<html>".utf8))
            case .forgotten: state.uploads.removeAll { $0.checks == nil }
            case .filledUp: state.limit = state.used
            default: break
            }
            let reply = answer(request, call, isDamaged: fault == .damage, &state)
            return fault == .lost ? reply.lost : reply
        }
    }

    private func answer(
        _ request: LoopbackServer.Request, _ call: HubCall, isDamaged: Bool, _ state: inout State
    ) -> LoopbackServer.Reply {
        let parts = request.path.split(separator: "/").map(String.init)
        switch call {
        case .quota:
            let (limit, used) = (state.room, state.used)
            return .json(200, #"{"quota":{"limit":\#(limit),"used":\#(used),"free":\#(max(0, limit - used))}}"#)
        case .create: return create(request, &state)
        case .head: return head(parts[2], state)
        case .patch: return patch(parts[2], request, isDamaged: isDamaged, &state)
        case .terminate:
            guard state.uploads.contains(where: { $0.id == parts[2] }) else { return Self.missing }
            state.uploads.removeAll { $0.id == parts[2] }
            return .init(204, headers: Self.tus)
        case .state: return progress(parts[4], &state)
        case .describe:
            guard let clip = state.clips.first(where: { $0.id == parts[4] }) else { return Self.missing }
            return .json(200, #"{"id":"\#(clip.id)","sha256":"\#(clip.sha256)","bytes":\#(clip.bytes.count)}"#)
        case .share: return share(parts[4], request, &state)
        case .remove:
            guard state.clips.contains(where: { $0.id == parts[4] }) else { return Self.missing }
            state.clips.removeAll { $0.id == parts[4] }
            state.uploads.removeAll { $0.metadata["id"] == parts[4] }
            return .init(204)
        case .sound:
            guard let clip = state.clips.first(where: { "\($0.id).mp3" == parts[1] }) else { return Self.missing }
            return .init(200, headers: [("Content-Type", "audio/mpeg")], body: clip.bytes)
        }
    }

    private func share(
        _ id: String, _ request: LoopbackServer.Request, _ state: inout State
    ) -> LoopbackServer.Reply {
        guard let index = state.clips.firstIndex(where: { $0.id == id }) else { return Self.missing }
        state.clips[index].isShared = true
        let base = "http://\(request.headers["Host"] ?? "")"
        return .json(200, #"{"page":"\#(base)/c/\#(id)","audio":"\#(base)/media/\#(id).mp3"}"#)
    }

    // MARK: tus

    private func create(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        guard request.headers["Tus-Resumable"] == "1.0.0" else { return Self.problem(412, "This hub speaks tus 1.0.0") }
        let metadata = Self.metadata(request.headers["Upload-Metadata"] ?? "")
        guard let length = request.headers["Upload-Length"].flatMap({ Int($0) }), length >= 0,
            metadata["use"] == "keep", let id = metadata["id"], id.utf8.count == 22,
            let sha256 = metadata["sha256"], sha256.utf8.count == 64, metadata["filename"]?.isEmpty == false
        else { return Self.problem(400, "The metadata is incomplete") }
        if state.replaces {
            if state.uploads.contains(where: { $0.metadata["id"] == id && $0.checks != nil && !$0.isReady }) {
                return Self.problem(409, "The id is taken")
            }
            state.uploads.removeAll { $0.metadata["id"] == id && $0.checks == nil }
        } else if let known = state.uploads.first(where: { $0.metadata["id"] == id }) {
            guard known.metadata["sha256"] == sha256 else { return Self.problem(409, "The id is taken") }
            return Self.created(known.id)
        }
        guard state.used + Int64(length) <= state.room else { return Self.problem(413, "The account is full") }
        var upload = Upload(id: "\(RandomName(length: 16))", metadata: metadata, length: length)
        if length == 0 { complete(&upload, state) }
        state.uploads.append(upload)
        return Self.created(upload.id)
    }

    private func head(_ id: String, _ state: State) -> LoopbackServer.Reply {
        guard let upload = state.uploads.first(where: { $0.id == id }) else { return .init(404) }
        let fields = [
            ("Upload-Offset", "\(upload.content.count)"), ("Upload-Length", "\(upload.length)"),
            ("Cache-Control", "no-store"),
        ]
        return .init(200, headers: Self.tus + fields)
    }

    private func patch(
        _ id: String, _ request: LoopbackServer.Request, isDamaged: Bool, _ state: inout State
    ) -> LoopbackServer.Reply {
        guard let index = state.uploads.firstIndex(where: { $0.id == id }) else { return Self.missing }
        guard request.headers["Content-Type"] == "application/offset+octet-stream" else {
            return Self.problem(415, "Pieces are application/offset+octet-stream")
        }
        var upload = state.uploads[index]
        guard request.headers["Upload-Offset"] == "\(upload.content.count)", upload.checks == nil else {
            return Self.problem(409, "The upload is at \(upload.content.count)")
        }
        guard upload.content.count + request.body.count <= upload.length else {
            return Self.problem(400, "That is more than was announced")
        }
        guard state.used + Int64(upload.length) <= state.room else { return Self.problem(413, "The account is full") }
        upload.content += request.body
        if isDamaged, !upload.content.isEmpty { upload.content[0] ^= 1 }
        if upload.content.count == upload.length { complete(&upload, state) }
        state.uploads[index] = upload
        return .init(204, headers: Self.tus + [("Upload-Offset", "\(upload.content.count)")])
    }

    /// All is there: the check begins.
    private func complete(_ upload: inout Upload, _ state: State) {
        upload.checks = state.checks.count
        upload.refusal = state.refusal
        if hexadecimal(SHA256.hash(data: upload.content)) != upload.metadata["sha256"] {
            upload.refusal = "the checksum is another one"
        }
    }

    private func progress(_ id: String, _ state: inout State) -> LoopbackServer.Reply {
        guard let index = state.uploads.firstIndex(where: { $0.id == id }) else { return Self.missing }
        var upload = state.uploads[index]
        defer { state.uploads[index] = upload }
        let (bytes, sha256) = (upload.content.count, upload.metadata["sha256"] ?? "")
        func told(_ state: String, _ more: String = "") -> String {
            #"{"state":"\#(state)","bytes":\#(bytes),"sha256":"\#(sha256)"\#(more)}"#
        }
        guard let checks = upload.checks else { return .json(200, told("receiving")) }
        if checks > 0 {
            upload.checks = checks - 1
            let headers = state.checks.retryAfter.map { [("Retry-After", $0)] } ?? []
            return .json(200, told("checking"), headers: headers)
        }
        if let why = upload.refusal { return .json(200, told("refused", #","why":"\#(why)""#)) }
        let clip = upload.metadata["id"] ?? ""
        if !upload.isReady {
            upload.isReady = true
            if state.clips.contains(where: { $0.id == clip }) { return .json(200, told("ready")) }
            state.clips.append(
                LoopbackHub.Clip(
                    id: clip, bytes: upload.content, sha256: sha256, title: upload.metadata["title"] ?? "",
                    expires: upload.metadata["expires"]))
        }
        return .json(200, told("ready", #","clip":"\#(clip)""#))
    }

    // MARK: helpers

    private static let tus = [("Tus-Resumable", "1.0.0")]
    private static let missing = problem(404, "There is no such thing")

    private static func created(_ id: String) -> LoopbackServer.Reply {
        .init(201, headers: tus + [("Location", "/api/uploads/\(id)")])
    }

    /// RFC 9457.
    private static func problem(_ status: Int, _ title: String) -> LoopbackServer.Reply {
        .init(
            status, headers: [("Content-Type", "application/problem+json")],
            body: Array(#"{"type":"about:blank","title":"\#(title)","status":\#(status)}"#.utf8))
    }

    /// `key base64,key base64,key`.
    private static func metadata(_ field: String) -> [String: String] {
        var found: [String: String] = [:]
        for pair in field.split(separator: ",") {
            let parts = pair.split(separator: " ").map(String.init)
            guard let key = parts.first else { continue }
            let value = parts.count > 1 ? Data(base64Encoded: parts[1]) : Data()
            found[key] = value.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return found
    }
}
