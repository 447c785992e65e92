internal import ChirpHTTP
public import FoundationEssentials
internal import Synchronization

/// X's API v2 on loopback (apis.md 3), with its sign-in: one user, whom tests may let follow others. Refuses what the real one
/// refuses: unknown keys, the same text twice, queries that are too long, places too far back.
public final class LoopbackX: Sendable {
    public struct Post: Sendable {
        public var id: String
        public var author: String
        public var text: String
        public var created: Date
    }

    /// An event of the conversation between the user and somebody.
    private struct Message {
        var post: Post
        var with: String
    }

    private struct State {
        var posts: [Post] = []
        var messages: [Message] = []
        var readPosts = 0
        var readMessages = 0
        var friends: [String] = []
        var lastID: UInt64 = 0
        var faults: [(path: String, reply: LoopbackServer.Reply)] = []
        var lost: [String] = []
        var held: [(path: String, stream: LoopbackStream)] = []
    }

    public let oauth: LoopbackOAuth
    public let server: LoopbackServer
    private let core: Core

    /// - Parameter now: what ids are made of, and what is too far back.
    public init(port: UInt16 = 0, now: @escaping @Sendable () -> Date = { Date() }) throws {
        let oauth = LoopbackOAuth(.x, now: now)
        let core = Core(oauth: oauth, now: now)
        self.oauth = oauth
        self.core = core
        server = try LoopbackServer(port: port) { core.reply(to: $0) }
    }

    public var base: String { server.base }
    public func close() { server.close() }

    /// The account that is signed in.
    public static let me = "1100000000000000001"

    public var posts: [Post] { core.state.withLock { $0.posts } }
    /// Answers the next request whose path ends so with this instead.
    public func fail(_ path: String, _ reply: LoopbackServer.Reply) {
        core.state.withLock { $0.faults.append((path, reply)) }
    }
    /// Where X says that every link leads in the end; nil when it says nothing of that.
    public func setUnwound(_ address: String?) { core.unwound.withLock { $0 = address } }
    /// Carries out the next request whose path ends so, and loses the answer.
    public func lose(_ path: String) { core.state.withLock { $0.lost.append(path) } }

    /// Carries out the next request whose path ends so, and begins an answer that has no end until it is closed.
    public func hold(_ path: String) -> LoopbackStream {
        let stream = LoopbackStream()
        core.state.withLock { $0.held.append((path, stream)) }
        return stream
    }

    /// Lets the user follow so many accounts, `friend0` and on; gives their ids.
    @discardableResult
    public func follow(_ count: Int) -> [String] {
        core.state.withLock { state in
            state.friends = (0..<count).map { "22000000\(100_000 + $0)" }
            return state.friends
        }
    }

    /// A post by somebody, made so many seconds ago.
    @discardableResult
    public func receive(_ text: String, by author: String, secondsAgo: Double = 0) -> String {
        core.state.withLock { core.add(text, by: author, secondsAgo: secondsAgo, to: &$0) }
    }

    /// A message that somebody writes to the user, or that the user writes.
    @discardableResult
    public func message(_ text: String, with friend: String, fromMe: Bool = false) -> String {
        core.state.withLock { core.message(text, with: friend, by: fromMe ? LoopbackX.me : friend, &$0) }
    }

    /// How many posts of people and how many messages X has given away, each time counted.
    public var read: (posts: Int, messages: Int) { core.state.withLock { ($0.readPosts, $0.readMessages) } }

    /// The service itself, which the server's handler owns.
    private final class Core: Sendable {
        let oauth: LoopbackOAuth
        let now: @Sendable () -> Date
        let state = Mutex(State())
        let unwound = Mutex<String?>(nil)

        init(oauth: LoopbackOAuth, now: @escaping @Sendable () -> Date) {
            self.oauth = oauth
            self.now = now
        }

        func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
            if let reply = oauth.reply(to: request) { return reply }
            let (fault, isLost) = state.withLock { state -> (LoopbackServer.Reply?, Bool) in
                if let index = state.faults.firstIndex(where: { request.path.hasSuffix($0.path) }) {
                    return (state.faults.remove(at: index).reply, false)
                }
                guard let index = state.lost.firstIndex(where: { request.path.hasSuffix($0) }) else {
                    return (nil, false)
                }
                state.lost.remove(at: index)
                return (nil, true)
            }
            if let fault { return fault }
            guard oauth.accepts(request) else {
                return .json(
                    401, #"{"title":"Unauthorized","type":"about:blank","status":401,"detail":"Unauthorized"}"#)
            }
            var reply = state.withLock { answer(request, &$0) }
            reply.stream = state.withLock { state in
                guard let index = state.held.firstIndex(where: { request.path.hasSuffix($0.path) }) else { return nil }
                return state.held.remove(at: index).stream
            }
            return isLost ? reply.lost : reply
        }

        private func answer(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
            let path = request.path.split(separator: "/").map(String.init)
            guard path.first == "2" else { return Self.missing }
            switch (request.method, path.count, path.last) {
            case ("GET", 3, "me"): return .json(200, #"{"data":\#(user(LoopbackX.me))}"#)
            case ("GET", 4, "following"): return following(request, state)
            case ("GET", 4, "tweets"):
                return page(request, state.posts.filter { $0.author == path[2] }, least: 5, &state)
            case ("GET", 5, "dm_events") where path[1] == "dm_conversations" && path[2] == "with":
                return events(request, with: path[3], &state)
            case ("GET", 4, "recent"): return search(request, &state)
            case ("POST", 2, "tweets"): return post(request, &state)
            case ("DELETE", 3, _) where path[1] == "tweets":
                guard let index = state.posts.firstIndex(where: { $0.id == path[2] }) else { return Self.missing }
                state.posts.remove(at: index)
                return .json(200, #"{"data":{"deleted":true}}"#)
            default: return Self.missing
            }
        }

        private static let missing = problem(404, "Not Found Error", "resource-not-found", "No such thing")

        private static func problem(_ status: Int, _ title: String, _ type: String, _ detail: String)
            -> LoopbackServer.Reply
        {
            LoopbackServer.Reply(
                status, headers: [("Content-Type", "application/problem+json")],
                body: Array(
                    #"{"title":"\#(title)","type":"https://api.twitter.com/2/problems/\#(type)","detail":"\#(detail)","status":\#(status)}"#
                        .utf8))
        }

        private static func invalid(_ detail: String) -> LoopbackServer.Reply {
            problem(400, "Invalid Request", "invalid-request", detail)
        }

        private func post(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
            guard request.headers["Content-Type"]?.hasPrefix("application/json") == true,
                let fields = try? JSONDecoder().decode([String: String].self, from: Data(request.body)),
                fields.keys.sorted() == ["text"], let text = fields["text"], !text.isEmpty
            else { return Self.invalid("One or more parameters to your request was invalid.") }
            guard !state.posts.contains(where: { $0.author == LoopbackX.me && $0.text == text }) else {
                return Self.problem(
                    403, "Forbidden", "about:blank",
                    "You are not allowed to create a Tweet with duplicate content.")
            }
            let id = add(text, by: LoopbackX.me, secondsAgo: 0, to: &state)
            return .json(
                201,
                #"{"data":{"id":"\#(id)","text":\#(Self.quoted(Self.shortened(text).text)),"edit_history_tweet_ids":["\#(id)"]}}"#
            )
        }

        func add(_ text: String, by author: String, secondsAgo: Double, to state: inout State) -> String {
            let created = now().addingTimeInterval(-secondsAgo)
            let milliseconds = UInt64(max(created.timeIntervalSince1970 * 1000 - 1_288_834_974_657, 0))
            var id = milliseconds << 22
            while state.posts.contains(where: { $0.id == String(id) }) { id += 1 }
            state.posts.append(Post(id: String(id), author: author, text: text, created: created))
            state.posts.sort { (UInt64($0.id) ?? 0) < (UInt64($1.id) ?? 0) }
            return String(id)
        }

        func message(_ text: String, with friend: String, by author: String, _ state: inout State) -> String {
            let milliseconds = UInt64(max(now().timeIntervalSince1970 * 1000 - 1_288_834_974_657, 0))
            var id = milliseconds << 22
            // Posts and messages are numbered together.
            while state.messages.contains(where: { $0.post.id == String(id) })
                || state.posts.contains(where: { $0.id == String(id) })
            { id += 1 }
            let post = Post(id: String(id), author: author, text: text, created: now())
            state.messages.append(Message(post: post, with: friend))
            return post.id
        }

        /// Newest first, of one conversation; there is no way to ask for what is newer than something.
        private func events(
            _ request: LoopbackServer.Request, with friend: String, _ state: inout State
        ) -> LoopbackServer.Reply {
            guard oauth.allows("dm.read", request) else {
                return Self.problem(403, "Forbidden", "about:blank", "dm.read was not allowed")
            }
            let limit = Int(request.query["max_results"] ?? "") ?? 100
            guard (1...100).contains(limit), request.query["since_id"] == nil else {
                return Self.invalid("max_results")
            }
            let found = Array(state.messages.filter { $0.with == friend }.reversed())
            let start = Int(request.query["pagination_token"] ?? "") ?? 0
            let page = found.dropFirst(start).prefix(limit)
            state.readMessages += page.count
            let events = page.map { message in
                #"{"id":"\#(message.post.id)","event_type":"MessageCreate","text":\#(Self.quoted(message.post.text)),"#
                    + #""sender_id":"\#(message.post.author)","#
                    + #""created_at":"\#(InstantText.format(message.post.created).dropLast()).000Z"}"#
            }
            let next = start + limit < found.count ? #","next_token":"\#(start + limit)""# : ""
            let data = events.isEmpty ? "" : #""data":[\#(events.joined(separator: ","))],"#
            return .json(200, "{\(data)\"meta\":{\"result_count\":\(events.count)\(next)}}")
        }

        private func search(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
            let query = request.query["query"] ?? ""
            guard query.count <= 512, query.hasPrefix("#Chirp has:links ("), query.hasSuffix(") -is:retweet") else {
                return Self.invalid("The query cannot be understood, or is longer than 512 characters.")
            }
            let authors = Set(
                query.split(whereSeparator: { " ()".contains($0) }).filter { $0.hasPrefix("from:") }
                    .map { String($0.dropFirst(5)) })
            let edge = now().addingTimeInterval(-7 * 86_400)
            let oldest = UInt64(max(edge.timeIntervalSince1970 * 1000 - 1_288_834_974_657, 0)) << 22
            if let since = request.query["since_id"].flatMap({ UInt64($0) }), since < oldest {
                return Self.invalid("'since_id' must be a tweet id created after [7 days ago].")
            }
            let found = state.posts.filter { post in
                authors.contains(post.author) && post.text.lowercased().contains("#chirp")
                    && post.text.contains("http") && UInt64(post.id) ?? 0 >= oldest
            }
            return page(request, found, least: 10, &state)
        }

        /// Newest first; `next_token` is a position.
        private func page(
            _ request: LoopbackServer.Request, _ all: [Post], least: Int, _ state: inout State
        ) -> LoopbackServer.Reply {
            let limit = Int(request.query["max_results"] ?? "") ?? 10
            guard (least...100).contains(limit) else { return Self.invalid("max_results") }
            let since = request.query["since_id"].flatMap { UInt64($0) } ?? 0
            let found = Array(all.filter { UInt64($0.id) ?? 0 > since }.reversed())
            let start = Int(request.query["next_token"] ?? request.query["pagination_token"] ?? "") ?? 0
            let page = found.dropFirst(start).prefix(limit)
            state.readPosts += page.count
            var parts: [String] = []
            if !page.isEmpty {
                parts.append(#""data":[\#(page.map(json).joined(separator: ","))]"#)
                let users = Set(page.map(\.author)).sorted().map(user).joined(separator: ",")
                if request.query["expansions"] == "author_id" { parts.append(#""includes":{"users":[\#(users)]}"#) }
            }
            let next = start + limit < found.count ? #","next_token":"\#(start + limit)""# : ""
            parts.append(#""meta":{"result_count":\#(page.count)\#(next)}"#)
            return .json(200, "{" + parts.joined(separator: ",") + "}")
        }

        private func following(_ request: LoopbackServer.Request, _ state: State) -> LoopbackServer.Reply {
            let limit = min(Int(request.query["max_results"] ?? "") ?? 100, 1000)
            let start = Int(request.query["pagination_token"] ?? "") ?? 0
            let page = state.friends.dropFirst(start).prefix(limit).map(user).joined(separator: ",")
            let next = start + limit < state.friends.count ? #","next_token":"\#(start + limit)""# : ""
            let data = page.isEmpty ? "" : #""data":[\#(page)],"#
            return .json(200, "{\(data)\"meta\":{\"result_count\":1\(next)}}")
        }

        private func user(_ id: String) -> String {
            let name = id == LoopbackX.me ? "ada" : "friend\(Int(id.suffix(6)).map { $0 - 100_000 } ?? 0)"
            return #"{"id":"\#(id)","username":"\#(name)","name":"The \#(name)"}"#
        }

        private func json(_ post: Post) -> String {
            let short = Self.shortened(post.text)
            let unwound = unwound.withLock { $0 }.map { #","unwound_url":\#(Self.quoted($0))"# } ?? ""
            let addresses = short.addresses.map {
                #"{"start":0,"end":1,"url":\#(Self.quoted($0.short)),"expanded_url":\#(Self.quoted($0.long))\#(unwound)}"#
            }
            let tags = post.text.split(whereSeparator: { $0.isWhitespace }).filter { $0.hasPrefix("#") }
                .map { #"{"tag":"\#($0.dropFirst())"}"# }
            let entities =
                #"{"urls":[\#(addresses.joined(separator: ","))],"hashtags":[\#(tags.joined(separator: ","))]}"#
            return #"{"id":"\#(post.id)","text":\#(Self.quoted(short.text)),"author_id":"\#(post.author)","#
                + #""created_at":"\#(InstantText.format(post.created).dropLast()).000Z","entities":\#(entities),"#
                + #""edit_history_tweet_ids":["\#(post.id)"]}"#
        }

        /// Every address becomes one of t.co, and the text is escaped.
        private static func shortened(_ text: String) -> (text: String, addresses: [(short: String, long: String)]) {
            var addresses: [(short: String, long: String)] = []
            var short = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            for word in text.split(whereSeparator: \.isWhitespace) where word.hasPrefix("http") {
                let address = "https://t.co/\(1_000_000 + addresses.count)"
                addresses.append((address, String(word)))
                short = short.replacing(String(word).replacing("&", with: "&amp;"), with: address)
            }
            return (short, addresses)
        }

        private static func quoted(_ text: String) -> String {
            (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
        }
    }
}
