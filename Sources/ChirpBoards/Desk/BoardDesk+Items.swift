package import ChirpCommunity
package import ChirpWeb
internal import Hummingbird

extension BoardDesk {
    /// The item that a path names by `:id`, as the asker sees it.
    ///
    /// - Parameters:
    ///   - gone: the title of the problem of one that was there.
    ///   - missing: what is thrown where there is none.
    /// - Throws: ``Problem``: 410 for what was there, with what became of it and when.
    package func item(
        on board: String, _ context: WebContext, gone: String, missing: Problem
    ) async throws -> Item {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }),
            let sight = try await library.seen(by: context.viewer).item(id, board: board)
        else { throw missing }
        switch sight {
        case .item(let item): return item
        case .gone(let state, let since): throw ItemGone(state: state, since: since).problem(gone)
        }
    }
}
