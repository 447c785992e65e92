internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What the routes of Mastodon's client API share: the library, and how people and posts are told.
struct ClientDesk: Sendable {
    let library: HubLibrary
    let links: HubLinks
    let limits: RateLimits
    /// Finds people at other servers; nil where the hub speaks with none.
    var elsewhere: ElsewhereDesk?

    /// The library as whoever asks sees it.
    func reader(_ context: WebContext) -> HubReader { library.seen(by: context.viewer) }

    /// Somebody whom the viewer may see.
    ///
    /// - Throws: 404.
    func person(_ id: String?, _ reader: HubReader) async throws -> PublicPerson {
        guard let id, let found = try await reader.people(.these([AccountID(rawValue: id)]), limit: 1).first else {
            throw Problem.recordNotFound
        }
        return found
    }

    /// The post that a path names by its place in the feed, if the viewer may see it.
    ///
    /// - Throws: 404.
    func post(_ context: WebContext, _ reader: HubReader) async throws -> HubPost {
        guard let place = context.parameters.get("id")?.safeInteger, let post = try await reader.post(place)
        else { throw Problem.recordNotFound }
        return post
    }

    /// Posts with their authors and figures, in the same order.
    func documents(_ posts: [HubPost], _ reader: HubReader) async throws -> [StatusDocument] {
        guard !posts.isEmpty else { return [] }
        let people = try await authors(of: posts, reader)
        let figures = try await reader.figures(of: posts.map(\.sequence))
        let strangers = try await strangers(posts, reader)
        var answered: [Int64: AccountID] = [:]
        for above in Set(posts.compactMap(\.replyTo)) {
            answered[above] = try await reader.post(above)?.author.id
        }
        return posts.compactMap { post in
            people[post.author.id].map { author in
                StatusDocument(
                    post: post, author: author, answered: post.replyTo.flatMap { answered[$0] },
                    figures: figures[post.sequence] ?? PostFigures(),
                    isStrange: post.visibility == .direct && strangers.contains(post.author.id), links: links)
            }
        }
    }

    /// Those who have written to the viewer and whom she does not follow.
    private func strangers(_ posts: [HubPost], _ reader: HubReader) async throws -> Set<AccountID> {
        let writers = Set(posts.filter { $0.visibility == .direct }.map(\.author.id)).filter { $0 != reader.account }
        guard !writers.isEmpty else { return [] }
        let followed = try await reader.relationships(to: Array(writers)).filter(\.isFollowing).map(\.account)
        return writers.subtracting(followed)
    }

    private func authors(of posts: [HubPost], _ reader: HubReader) async throws -> [AccountID: PublicPerson] {
        let ids = Array(Set(posts.map(\.author.id)))
        let found = try await reader.people(.these(ids), limit: ids.count)
        return Dictionary(found.map { ($0.author.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Somebody at another server whom a program asks to find there (`resolve`); nil where it does not, where that is no such name, and
    /// where nobody is found, as Mastodon does it.
    func resolve(_ text: String, _ request: Request, _ context: WebContext) async throws -> PublicPerson? {
        guard let elsewhere, ["1", "true"].contains(request.uri.queryParameters["resolve"] ?? ""),
            context.person?.isActive == true, elsewhere.isElsewhere(text)
        else { return nil }
        let account = try context.account
        let found: PostAuthor
        do throws(ElsewhereRefusal) { found = try await elsewhere.find(text, for: account) } catch {
            if case .may = error { throw error.problem }
            return nil
        }
        return try await reader(context).people(.these([found.id]), limit: 1).first
    }

    /// One post.
    func answer(_ post: HubPost, _ reader: HubReader) async throws -> Response {
        guard let document = try await documents([post], reader).first else { throw Problem.recordNotFound }
        var json = JSONText()
        document.write(&json)
        return .json(json)
    }

    /// A page of posts, newest first, and the addresses of the pages beside it.
    func page(
        _ selection: PostSelection, _ reader: HubReader, _ request: Request,
        where isWanted: (HubPost) -> Bool = { _ in true }
    ) async throws -> Response {
        let page = try ClientPage(request)
        let posts: [HubPost]
        if let first = page.above {
            posts = try await reader.posts(after: first, selection, limit: page.limit).reversed()
        } else {
            posts = try await reader.posts(
                before: page.before ?? .end, selection, after: page.floor ?? .start, limit: page.limit)
        }
        var documents = try await documents(posts.filter(isWanted), reader)
        if selection == .home {
            let watched = try await reader.watched(among: documents.map(\.post.sequence))
            for index in documents.indices {
                documents[index].isWatched = watched.contains(documents[index].post.sequence)
            }
        }
        var json = JSONText()
        json.array(documents) { $1.write(&$0) }
        return page.link(.json(json), newest: posts.first?.sequence, oldest: posts.last?.sequence, request, links)
    }

    /// A list of people.
    func answer(_ people: [PublicPerson]) -> Response {
        var json = JSONText()
        json.array(people) { AccountDocument(person: $1, links: links).write(&$0) }
        return .json(json)
    }
}

extension Problem {
    /// As Mastodon words it.
    static let recordNotFound = Problem(.notFound, "not-found", "Record not found")

    /// What was sent does not do.
    static func refused(_ detail: String, field: String? = nil) -> Problem {
        Problem(
            .unprocessableContent, "not-accepted", "Validation failed: \(detail)",
            fields: field.map { [$0: detail] } ?? [:])
    }
}
