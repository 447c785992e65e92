internal import ChirpHTTP
public import FoundationEssentials
internal import Synchronization

/// A Mastodon instance on loopback (apis.md 4), with its sign-in: one user, whom tests may let follow others.
public final class LoopbackMastodon: Sendable {
    public struct Status: Sendable {
        public var id: String
        public var account: String
        public var text: String
        public var visibility: String
        public var language: String?
        public var warning: String
        public var media: [String]
        public var created: Date
        public var isBoost = false
        public var isEdited = false
    }

    private struct State {
        var statuses: [Status] = []
        var keys: [String: String] = [:]
        var accounts: [String] = []
        var media: [String: (description: String, bytes: Int, questions: Int)] = [:]
        var lastID = 115_600_000_000_000_000
        var faults: [(path: String, reply: LoopbackServer.Reply)] = []
        var lost: [String] = []
        var maximum = 500
        var questions = 2
        var streams: [LoopbackStream] = []
    }

    public let oauth: LoopbackOAuth
    public let server: LoopbackServer
    private let core: Core

    public convenience init(port: UInt16 = 0, now: @escaping @Sendable () -> Date = { Date() }) throws {
        try self.init(port: port, now: now, gate: { _, _, _ in .read }, front: { _, _ in nil })
    }

    /// - Parameter front: answers what belongs to another API of the same server; nil for what does not.
    init(
        port: UInt16, now: @escaping @Sendable () -> Date, gate: @escaping LoopbackServer.GateKeeper,
        front: @escaping @Sendable (LoopbackServer.Request, LoopbackOAuth) -> LoopbackServer.Reply?
    ) throws {
        let oauth = LoopbackOAuth(.mastodon, now: now)
        let core = Core(oauth: oauth, now: now)
        self.oauth = oauth
        self.core = core
        server = try LoopbackServer(port: port, gate: gate) { front($0, oauth) ?? core.reply(to: $0) }
    }

    public var base: String { server.base }
    public func close() {
        server.close()
        cutStreams()
    }

    /// Ends every event stream that is open.
    public func cutStreams() {
        let streams = core.state.withLock { state in
            defer { state.streams = [] }
            return state.streams
        }
        streams.forEach { $0.close() }
    }

    /// The event streams that have been opened and not cut.
    public var streamCount: Int { core.state.withLock { $0.streams.count } }

    /// Says on every event stream that it is alive.
    public func thump() { core.state.withLock { $0.streams.forEach { $0.write(":thump\n") } } }

    /// The account that is signed in.
    public static let me = "109000000000000001"

    public var statuses: [Status] { core.state.withLock { $0.statuses } }
    public var mediaDescriptions: [String] { core.state.withLock { $0.media.values.map(\.description) } }
    /// The most characters a status may have from now on.
    public func limit(_ maximum: Int) { core.state.withLock { $0.maximum = maximum } }
    /// Answers the next request whose path ends so with this instead.
    public func fail(_ path: String, _ reply: LoopbackServer.Reply) {
        core.state.withLock { $0.faults.append((path, reply)) }
    }
    /// Carries out the next request whose path ends so, and loses the answer.
    public func lose(_ path: String) { core.state.withLock { $0.lost.append(path) } }
    /// Where pictures of everybody lie: below this, by the account's id.
    public func setPictures(_ folder: String?) { core.pictures.withLock { $0 = folder } }
    /// What is sent is taken in at once, instead of when it was asked for twice.
    public func takeMediaAtOnce() { core.state.withLock { $0.questions = 0 } }
    /// Nothing that was planned happens any more.
    public func forgetFaults() { core.state.withLock { ($0.faults, $0.lost) = ([], []) } }
    /// The hour is over for which keys are kept.
    public func forgetKeys() { core.state.withLock { $0.keys = [:] } }

    /// Lets the user follow so many accounts, `friend-0` and on; gives their ids.
    @discardableResult
    public func follow(_ count: Int) -> [String] {
        core.state.withLock { state in
            state.accounts = (0..<count).map { "2000000000\(1000 + $0)" }
            return state.accounts
        }
    }

    /// A status by somebody.
    @discardableResult
    public func receive(_ html: String, by account: String, isBoost: Bool = false) -> String {
        core.state.withLock { core.add(html, by: account, isBoost: isBoost, to: &$0) }
    }

    /// A message by somebody to the user alone: it is the newest status of a conversation.
    @discardableResult
    public func message(_ html: String, by account: String) -> String {
        core.state.withLock { core.add(html, by: account, isBoost: false, visibility: "direct", to: &$0) }
    }

    /// The instance itself, which the server's handler owns.
    private final class Core: Sendable {
        let oauth: LoopbackOAuth
        let now: @Sendable () -> Date
        let state = Mutex(State())
        let pictures = Mutex<String?>(nil)
        private var writing: Writing { Writing(pictures: pictures.withLock { $0 }) }

        init(oauth: LoopbackOAuth, now: @escaping @Sendable () -> Date) {
            self.oauth = oauth
            self.now = now
        }

        func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
            if let reply = oauth.reply(to: request) { return reply }
            let isLost = state.withLock { state in
                guard let index = state.lost.firstIndex(where: { request.path.hasSuffix($0) }) else { return false }
                state.lost.remove(at: index)
                return true
            }
            let fault = state.withLock { state -> LoopbackServer.Reply? in
                guard let index = state.faults.firstIndex(where: { request.path.hasSuffix($0.path) }) else {
                    return nil
                }
                return state.faults.remove(at: index).reply
            }
            if let fault { return fault }
            // Mastodon.py puts a slash behind it, which the real one does not mind.
            if request.path.hasPrefix("/api/v2/instance") || request.path.hasPrefix("/api/v1/instance") {
                return instance(request.headers["Host"] ?? "")
            }
            if request.path.hasPrefix("/avatars/") {
                return LoopbackServer.Reply(
                    200, headers: [("Content-Type", "image/png")], body: Array("drawn \(request.path)".utf8))
            }
            guard oauth.accepts(request) else { return .json(401, #"{"error":"The access token is invalid"}"#) }
            let reply = state.withLock { answer(request, &$0) }
            return isLost ? reply.lost : reply
        }

        private func instance(_ host: String) -> LoopbackServer.Reply {
            let maximum = state.withLock { $0.maximum }
            return .json(
                200,
                #"{"domain":"loopback","version":"4.3.0","api_versions":{"mastodon":2},"configuration":{"urls":{"streaming":"ws://\#(host)"},"#
                    + #""statuses":{"max_characters":\#(maximum),"characters_reserved_per_url":23}}}"#)
        }

        private func answer(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
            let path = request.path.split(separator: "/").map(String.init)
            switch (request.method, path.count, path.dropFirst(2).first) {
            case ("GET", 4, "accounts") where path[3] == "verify_credentials":
                return .json(200, writing.account(LoopbackMastodon.me))
            case ("GET", 5, "accounts") where path[4] == "following": return following(request, state)
            case ("GET", 5, "accounts") where path[4] == "statuses":
                return page(request, state.statuses.filter { $0.account == path[3] })
            case ("GET", 4, "timelines"): return page(request, state.statuses.filter { $0.visibility != "direct" })
            case ("GET", 3, "conversations"): return conversations(request, state)
            case ("GET", 4, "streaming") where path[3] == "user":
                let stream = LoopbackStream()
                stream.write(":)\n")
                state.streams.append(stream)
                return .events(stream)
            case ("POST", 3, "statuses") where !mayWrite("statuses", request),
                ("POST", 3, "media") where !mayWrite("media", request):
                return .json(403, #"{"error":"This action is outside the authorized scopes"}"#)
            case ("POST", 3, "statuses"): return post(request, &state)
            case ("PUT", 4, "statuses"): return edit(path[3], request, &state)
            case ("GET", 4, "statuses"):
                guard let status = state.statuses.first(where: { $0.id == path[3] }) else { return Self.missing }
                return .json(200, writing.status(status))
            case ("DELETE", 4, "statuses"):
                guard let index = state.statuses.firstIndex(where: { $0.id == path[3] }) else { return Self.missing }
                return .json(200, writing.status(state.statuses.remove(at: index)))
            case ("POST", 3, "media"): return upload(request, &state)
            case ("GET", 4, "media"): return media(path[3], &state)
            default: return Self.missing
            }
        }

        private func mayWrite(_ what: String, _ request: LoopbackServer.Request) -> Bool {
            oauth.allows("write", request) || oauth.allows("write:\(what)", request)
        }

        private static let missing = LoopbackServer.Reply.json(404, #"{"error":"Record not found"}"#)

        private struct NewStatus: Decodable {
            var status: String?
            var visibility: String?
            var language: String?
            var spoiler_text: String?
            var media_ids: [String]?
        }

        /// JSON or a form, as the real one takes.
        private func newStatus(_ request: LoopbackServer.Request) -> NewStatus {
            if request.headers["Content-Type"]?.hasPrefix("application/json") == true {
                return (try? JSONDecoder().decode(NewStatus.self, from: Data(request.body))) ?? NewStatus()
            }
            let form = request.form
            return NewStatus(
                status: form["status"], visibility: form["visibility"], language: form["language"],
                spoiler_text: form["spoiler_text"], media_ids: form["media_ids[]"].map { [$0] })
        }

        private func post(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
            if let key = request.headers["Idempotency-Key"], let known = state.keys[key],
                let status = state.statuses.first(where: { $0.id == known })
            {
                return .json(200, writing.status(status))
            }
            let new = newStatus(request)
            guard let text = new.status, !text.isEmpty || new.media_ids?.isEmpty == false else {
                return .json(422, #"{"error":"Validation failed: Text can't be blank"}"#)
            }
            let words = text.split(whereSeparator: \.isWhitespace).reduce(0) { count, word in
                count + (word.hasPrefix("http") ? 23 : word.count) + 1
            }
            guard words - 1 + (new.spoiler_text?.count ?? 0) <= state.maximum else {
                return .json(422, #"{"error":"Validation failed: Text character limit exceeded"}"#)
            }
            for id in new.media_ids ?? [] {
                guard let media = state.media[id], media.questions == 0 else {
                    return .json(422, #"{"error":"Cannot attach files that have not finished processing."}"#)
                }
            }
            let id = add(Writing.html(text), by: LoopbackMastodon.me, isBoost: false, to: &state)
            let last = state.statuses.count - 1
            state.statuses[last].text = text
            state.statuses[last].visibility = new.visibility ?? "public"
            state.statuses[last].language = new.language
            state.statuses[last].warning = new.spoiler_text ?? ""
            state.statuses[last].media = new.media_ids ?? []
            if let key = request.headers["Idempotency-Key"] { state.keys[key] = id }
            return .json(200, writing.status(state.statuses[last]))
        }

        private func edit(
            _ id: String, _ request: LoopbackServer.Request, _ state: inout State
        ) -> LoopbackServer.Reply {
            guard let index = state.statuses.firstIndex(where: { $0.id == id }) else { return Self.missing }
            let new = newStatus(request)
            state.statuses[index].text = new.status ?? ""
            state.statuses[index].media = new.media_ids ?? []
            state.statuses[index].isEdited = true
            return .json(200, writing.status(state.statuses[index]))
        }

        func add(
            _ html: String, by account: String, isBoost: Bool, visibility: String = "public", to state: inout State
        ) -> String {
            state.lastID += 7
            state.statuses.append(
                Status(
                    id: String(state.lastID), account: account, text: html, visibility: visibility, warning: "",
                    media: [], created: now(), isBoost: isBoost))
            let status = writing.status(state.statuses[state.statuses.count - 1])
            // A message comes on no timeline, but as news of its conversation.
            let event =
                visibility == "direct"
                ? "event: conversation\ndata: \(writing.conversation(with: account, last: status))\n\n"
                : "event: update\ndata: \(status)\n\n"
            state.streams.forEach { $0.write(event) }
            return String(state.lastID)
        }

        /// Newest first; `min_id` gives the page right after an id, `since_id` the newest one.
        private func page(_ request: LoopbackServer.Request, _ all: [Status]) -> LoopbackServer.Reply {
            let limit = min(Int(request.query["limit"] ?? "") ?? 20, 40)
            func isAfter(_ a: String, _ b: String) -> Bool { (a.count, a) > (b.count, b) }
            var found = all
            if let since = request.query["since_id"] { found = found.filter { isAfter($0.id, since) } }
            if let maximum = request.query["max_id"] { found = found.filter { isAfter(maximum, $0.id) } }
            if let minimum = request.query["min_id"] {
                found = Array(found.filter { isAfter($0.id, minimum) }.prefix(limit))
            }
            found = found.suffix(limit).reversed()
            return .json(200, "[" + found.map(writing.status).joined(separator: ",") + "]")
        }

        /// Cursors are positions, not ids: only the `Link` field knows them.
        private func following(_ request: LoopbackServer.Request, _ state: State) -> LoopbackServer.Reply {
            let limit = min(Int(request.query["limit"] ?? "") ?? 40, 80)
            let start = Int(request.query["max_id"] ?? "") ?? 0
            let page = state.accounts.dropFirst(start).prefix(limit)
            var headers: [(String, String)] = []
            if start + limit < state.accounts.count {
                let host = request.headers["Host"] ?? ""
                headers.append(
                    (
                        "Link",
                        "<http://\(host)\(request.path)?limit=\(limit)&max_id=\(start + limit)>; rel=\"next\", "
                            + "<http://\(host)\(request.path)?since_id=1>; rel=\"prev\""
                    ))
            }
            return .json(200, "[" + page.map(writing.account).joined(separator: ",") + "]", headers: headers)
        }

        /// One for each account that has written, with its newest message, the newest conversation first.
        private func conversations(_ request: LoopbackServer.Request, _ state: State) -> LoopbackServer.Reply {
            let limit = min(Int(request.query["limit"] ?? "") ?? 20, 40)
            var seen: Set<String> = []
            let newest = state.statuses.reversed().filter {
                $0.visibility == "direct" && $0.account != LoopbackMastodon.me && seen.insert($0.account).inserted
            }
            let found = newest.prefix(limit).map { writing.conversation(with: $0.account, last: writing.status($0)) }
            return .json(200, "[" + found.joined(separator: ",") + "]")
        }

        private func upload(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
            let text = String(decoding: request.body, as: UTF8.self)
            guard request.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true,
                text.contains("name=\"file\"; filename=")
            else { return .json(422, #"{"error":"Validation failed: File can't be blank"}"#) }
            var description = ""
            if let start = text.firstRange(of: "name=\"description\"\r\n\r\n") {
                description = String(text[start.upperBound...].prefix { $0 != "\r\n" })
            }
            let id = "\(900 + state.media.count)"
            state.media[id] = (description, request.body.count, state.questions)
            return .json(state.questions == 0 ? 200 : 202, #"{"id":"\#(id)","type":"audio","url":null}"#)
        }

        private func media(_ id: String, _ state: inout State) -> LoopbackServer.Reply {
            guard var media = state.media[id] else { return Self.missing }
            media.questions = max(0, media.questions - 1)
            state.media[id] = media
            // The real one has no address for it until it is processed.
            let isReady = media.questions == 0
            let url = isReady ? "\"https://files.example/\(id)\"" : "null"
            return .json(isReady ? 200 : 206, #"{"id":"\#(id)","type":"audio","url":\#(url)}"#)
        }
    }
}
