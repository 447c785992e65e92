internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpWeb

/// What people think of a board's items: a board that declares it has the addresses `/BOARD/:id/votes`, for people and programs, and puts
/// ``section(of:_:token:)`` into the pages of its items. Its tables say so too (`BoardTables.votes(on:)`).
package struct BoardVotes: Sendable {
    /// Makes a page of the board around what stands in it.
    package typealias Frame = @Sendable (_ title: String, _ body: HTML, _ token: String?) -> HTML

    let desk: BoardDesk
    let board: String
    let frame: Frame

    /// How often one person votes, or thinks again.
    static let rule = RateRule(300, per: 3600)

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

    /// Every address of votes on the board.
    package var routes: [WebRoute] { VoteRoutes(votes: self).routes }

    /// How an item stands for who asks; nil on a board whose tables have no votes.
    package func standing(of item: Item, _ context: WebContext) async throws -> VoteStanding? {
        try await desk.library.seen(by: context.viewer).votes(on: [item.id])[item.id]
    }

    /// What stands in the page of an item: how many are for it and against it, and for who may vote a button for each, which is pressed
    /// again to take the vote back.
    ///
    /// - Parameter token: of the page's forms; nil for a visitor.
    package func section(of item: Item, _ context: WebContext, token: String?) async throws -> HTML {
        guard let standing = try await standing(of: item, context) else { return .nothing }
        let isOpen = item.state == .open || item.state == .settled
        let sides: HTML
        if let token, let person = context.person, person.isActive, isOpen, item.author.id.rawValue != person.id {
            sides = """
                <form class="acts" method="post" action="\(desk.links.prefix)\(path(item))"><input type="hidden" name="token" \
                value="\(token)">\(button(.up, standing))\(button(.down, standing))</form>
                """
        } else {
            let back = PercentEncoding.encode("/\(item.board)/\(item.id)")
            let way: HTML =
                context.person == nil && isOpen
                ? " · <a href=\"\(desk.links.prefix)/signin?to=\(back)\">\(word("vote.signin"))</a>" : .nothing
            sides = """
                <p class="byline">\(word("vote.up", ["count": "\(standing.ups)"])) · \
                \(word("vote.down", ["count": "\(standing.downs)"]))\(way)</p>
                """
        }
        return "<section class=\"votes\" id=\"votes\" aria-label=\"\(word("vote.title"))\">\(sides)</section>"
    }

    private func button(_ vote: ItemVote, _ standing: VoteStanding) -> HTML {
        let isOwn = standing.own == vote
        let name =
            vote == .up
            ? word("vote.up", ["count": "\(standing.ups)"]) : word("vote.down", ["count": "\(standing.downs)"])
        return """
            <button class="act" name="vote" value="\(isOwn ? "none" : vote.rawValue)" \
            aria-pressed="\(isOwn ? "true" : "false")">\(name)</button>
            """
    }

    /// Where the votes on an item are, without the prefix.
    func path(_ item: Item) -> String { "/\(board)/\(item.id)/votes" }
}
