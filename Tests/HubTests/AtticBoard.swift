import ChirpAccounts
import ChirpBoards
import ChirpCommunity
import ChirpHub
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore

/// A board of the tests, as small as one can be: what hubs have does not show comments yet, and this one declares them.
struct AtticBoard {
    static let name = "attic"
    private static let path = "/\(name)"
    private static let api = "/api/hub/v1/\(name)"

    let desk: BoardDesk
    private let comments: BoardComments
    /// Nil: it has none.
    private let votes: BoardVotes?

    /// What it keeps in a library when people vote.
    static let tables = BoardTables(name: name, steps: [BoardTables.votes(on: name)])

    init(_ desk: BoardDesk, hasVotes: Bool = false) {
        self.desk = desk
        comments = BoardComments(desk, board: Self.name)
        votes = hasVotes ? BoardVotes(desk, board: Self.name) : nil
    }

    var board: Board { Board(name: Self.name, title: { "Attic" }, routes: routes, comments: comments, votes: votes) }

    private var routes: [WebRoute] {
        [
            .get("\(Self.path)/:id") { request, context in
                guard let item = try await item(context) else { throw HTTPError(.notFound) }
                guard context.person != nil else {
                    return .page(page(item, try await sections(of: item, context, token: nil)))
                }
                var token: String?
                var answer = desk.forgery.page(request) {
                    token = $0
                    return .page(.nothing)
                }
                let sections = try await sections(of: item, context, token: token)
                answer.body = ResponseBody(byteBuffer: ByteBuffer(string: page(item, sections).text))
                return answer
            },
            .api(.post, Self.api, .active, scope: "write:statuses", body: .upTo(64 << 10), summary: "Lists", gives: 201)
            {
                request, context in
                let sent = try await request.fields()
                let id = try await desk.library.createItem(
                    ItemDraft(
                        board: Self.name, kind: "thing", author: AccountID(rawValue: context.person?.id ?? ""),
                        key: sent["key"] ?? "", title: sent["title"] ?? "", category: "things"))
                return try .json(["id": id.text], status: .created)
            },
            act("closure", to: .settled), act("withdrawal", to: .withdrawn),
        ]
    }

    private func act(_ noun: String, to state: Item.State) -> WebRoute {
        .api(.post, "\(Self.api)/:id/\(noun)", .active, scope: "write:statuses", summary: "Ends") { _, context in
            guard let item = try await item(context) else { throw HTTPError(.notFound) }
            try await desk.library.transact {
                try Items.move(
                    item.id, from: [.open], to: state, by: AccountID(rawValue: context.person?.id ?? ""),
                    library: desk.library, in: $0)
            }
            return Response(status: .noContent)
        }
    }

    private func item(_ context: WebContext) async throws -> Item? {
        let viewer: Viewer = context.person.map { .member(AccountID(rawValue: $0.id)) } ?? .visitor
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }),
            case .item(let item) = try await desk.library.seen(by: viewer).item(id, board: Self.name)
        else { return nil }
        return item
    }

    private func sections(of item: Item, _ context: WebContext, token: String?) async throws -> HTML {
        let votes = try await votes?.section(of: item, context, token: token) ?? .nothing
        return "\(votes)\(try await comments.section(of: item, context, token: token))"
    }

    private func page(_ item: Item, _ sections: HTML) -> HTML {
        Layout(prefix: desk.links.prefix).page(title: item.title, body: "<h1>\(item.title)</h1>\(sections)")
    }
}

extension HubHousehold {
    /// A hub with a board's sample in it, also when that board is one of the tests.
    func application(
        with board: BoardSample, _ settings: HubSettings, intake: ClipIntake? = nil
    ) throws -> HubApplication {
        var hub = try application(settings, intake: intake)
        if board.name == AtticBoard.name { hub.furtherBoards = { [AtticBoard($0, hasVotes: board.hasVotes).board] } }
        return hub
    }
}
