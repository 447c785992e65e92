internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What pages and programs share that show and write messages.
struct MessageDesk: Sendable {
    let desk: PageDesk

    /// How many messages a page shows.
    static let perPage = 30
    /// How many conversations a page shows.
    static let threadsPerPage = 30

    /// A conversation of the asker's, and a page of its messages.
    struct Opened {
        let thread: MessageThread
        /// Newest first.
        let posts: [HubPost]
        /// Where the next page begins, when there is one.
        let older: Int64?
        /// The place up to which it was read; nil where a page begins further back.
        let upTo: Int64?
        /// Everybody in it can be written to.
        let isOpen: Bool
        /// Those of it whom the asker does not follow: what they write is looked at, and their links are text.
        let strangers: Set<AccountID>
    }

    /// The conversation that a path names.
    ///
    /// - Returns: nil when it is none of the asker's.
    func open(_ request: Request, _ context: WebContext) async throws -> Opened? {
        let reader = desk.reader(context)
        // Before what is shown, so that nothing comes in between.
        let upTo = try await reader.lastSequence()
        guard let id = context.parameters.get("id"), let thread = try await reader.thread(id) else { return nil }
        let named = try request.cursor("before", from: 1)
        let before = named ?? .end
        let places = thread.posts.filter { PageCursor($0) < before }
        let shown = Array(places.prefix(Self.perPage))
        return Opened(
            thread: thread, posts: try await reader.posts(at: shown),
            older: places.count > shown.count ? shown.last : nil, upTo: named == nil ? upTo : nil,
            isOpen: try await canWrite(to: thread.people, reader),
            strangers: try await strangers(among: thread.people, reader))
    }

    /// The asker's conversations with their newest messages, and up to which place the feed was read; that is nil where a page begins
    /// further back.
    func threads(
        _ request: Request, _ context: WebContext
    ) async throws -> (threads: [(thread: MessageThread, newest: HubPost)], older: Int64?, upTo: Int64?) {
        let reader = desk.reader(context)
        let upTo = try await reader.lastSequence()
        let named = try request.cursor("before", from: 1)
        let before = named ?? .end
        let found = try await reader.threads(before: before, limit: Self.threadsPerPage + 1)
        let shown = found.prefix(Self.threadsPerPage)
        let posts = try await reader.posts(at: shown.compactMap(\.posts.first))
        let threads = shown.compactMap { thread in
            posts.first { $0.sequence == thread.posts.first }.map { (thread: thread, newest: $0) }
        }
        return (threads, found.count > shown.count ? shown.last?.posts.first : nil, named == nil ? upTo : nil)
    }

    /// Writes to the people of a conversation.
    func answer(_ form: Form, _ thread: MessageThread, _ context: WebContext) async throws -> Result<
        HubPost, WordsRefusal
    > {
        guard try await canWrite(to: thread.people, desk.reader(context)) else {
            return .failure(.nobody(thread.people.map { "@\($0.handle)" }.joined(separator: ", ")))
        }
        return await send(form, to: thread.people.map(\.handle), context)
    }

    /// Writes to people by their names, which are typed with or without `@`.
    func write(_ form: Form, to typed: [String], _ context: WebContext) async throws -> Result<HubPost, WordsRefusal> {
        let me = try context.account
        let reader = desk.reader(context)
        var people: [PostAuthor] = []
        guard !typed.isEmpty, typed.count <= 10 else { return .failure(.nobody("")) }
        for name in typed {
            let handle = (name.hasPrefix("@") ? String(name.dropFirst()) : name).lowercased()
            guard let found = try await reader.people(.named(handle), limit: 1).first?.author, found.id != me else {
                return .failure(.nobody(PlainText(name, limit: 60).value))
            }
            if !people.contains(where: { $0.id == found.id }) { people.append(found) }
        }
        guard try await canWrite(to: people, reader) else {
            return .failure(.nobody(people.map { "@\($0.handle)" }.joined(separator: ", ")))
        }
        return await send(form, to: people.map(\.handle), context)
    }

    /// The asker has read a conversation as far as it goes.
    func read(_ thread: MessageThread, _ context: WebContext) async throws {
        guard let newest = thread.posts.first else { return }
        try await desk.library.readThread(thread.id, to: newest, by: context.account)
    }

    /// The conversation that a message belongs to.
    func thread(of post: HubPost, _ context: WebContext) async throws -> MessageThread? {
        try await desk.reader(context).thread(with: post.sequence)
    }

    /// Those of some people whom the asker does not follow.
    private func strangers(among people: [PostAuthor], _ reader: HubReader) async throws -> Set<AccountID> {
        let followed = try await reader.relationships(to: people.map(\.id)).filter(\.isFollowing).map(\.account)
        return Set(people.map(\.id)).subtracting(followed)
    }

    private func send(
        _ form: Form, to handles: [String], _ context: WebContext
    ) async -> Result<HubPost, WordsRefusal> {
        do throws(WordsRefusal) {
            return .success(try await desk.publish(form, context, to: handles) { $0.visibility = .direct })
        } catch {
            return .failure(error)
        }
    }

    /// Whether all of them are there, and nobody has blocked anybody.
    private func canWrite(to people: [PostAuthor], _ reader: HubReader) async throws -> Bool {
        guard !people.isEmpty else { return false }
        let ids = people.map(\.id)
        guard try await reader.people(.these(ids), limit: ids.count).count == ids.count else { return false }
        return try await reader.relationships(to: ids).allSatisfy { !$0.isBlocking }
    }
}
