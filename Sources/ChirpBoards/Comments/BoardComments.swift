internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What people say about a board's items: a board that declares it has the addresses below `/BOARD/:id/comments`, for people and programs,
/// and puts ``section(of:_:token:)`` into the pages of its items.
package struct BoardComments: Sendable {
    /// Makes a page of the board around what stands in it.
    package typealias Frame = @Sendable (_ title: String, _ body: HTML, _ token: String?) -> HTML

    let desk: BoardDesk
    let board: String
    let frame: Frame

    /// How many stand in the page of an item.
    static let inSection = 10
    /// How many one person says, and how many recordings she sends with them.
    static let rule = RateRule(30, per: 3600)
    /// The largest recording, in bytes. It is taken in memory.
    static let mostClipBytes = 25 << 20

    /// - Parameters:
    ///   - board: its name, as in addresses.
    ///   - frame: nil: as the hub's own pages.
    package init(_ desk: BoardDesk, board: String, frame: Frame? = nil) {
        self.desk = desk
        self.board = board
        self.frame =
            frame ?? { [prefix = desk.links.prefix] title, body, _ in
                Layout(prefix: prefix).page(title: "\(title) – Chirp", body: body)
            }
    }

    /// Every address of comments on the board.
    package var routes: [WebRoute] { CommentRoutes(comments: self).routes }

    /// What stands in the page of an item: the newest comments, and the form for another one.
    ///
    /// - Parameter token: of the page's forms; nil for a visitor.
    package func section(of item: Item, _ context: WebContext, token: String?) async throws -> HTML {
        var query = query(item)
        query.order = .newest
        query.limit = Self.inSection
        let page = try await reader(context).comments(query)
        let view = try await view(of: item, page?.comments ?? [], context, token: token)
        let all: HTML =
            page?.next == nil
            ? .nothing
            : "<p><a href=\"\(desk.links.prefix)\(path(item))\">\(word("comment.all"))</a></p>"
        return """
            <section class="comments" aria-labelledby="comments">
            <h2 id="comments">\(word("comment.title", count: item.comments))</h2>
            \(view.list(page?.comments ?? []))\(all)
            \(view.entry())
            </section>
            """
    }

    /// Where the comments on an item are, without the prefix.
    func path(_ item: Item) -> String { "/\(board)/\(item.id)/comments" }

    func query(_ item: Item) -> CommentQuery { CommentQuery(board: board, item: item.id) }

    func reader(_ context: WebContext) -> HubReader { desk.library.seen(by: context.viewer) }

    /// How comments are shown to who asks, with what is said in their clips.
    func view(
        of item: Item, _ comments: [ItemComment], _ context: WebContext, token: String?
    ) async throws -> CommentView {
        let clips = (comments + comments.flatMap(\.answers)).compactMap { $0.clip?.id }
        return CommentView(
            item: item, path: path(item), person: context.person, token: context.person == nil ? nil : token,
            takesVoice: desk.takeClip != nil, transcripts: try await reader(context).transcripts(of: clips),
            links: desk.links)
    }
}
