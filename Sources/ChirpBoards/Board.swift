package import ChirpCommunity
package import ChirpWeb

/// A board: a part of the hub where people list one kind of thing. Name, title and routes suffice.
package struct Board: Sendable {
    /// In addresses, settings and tables, as in `lost-and-found`.
    package let name: String
    /// On pages, in the visitor's language.
    package let title: @Sendable () -> String
    /// Every address below `/name` and `/api/hub/v1/name`.
    package let routes: [WebRoute]
    /// What it does every hour beside the library's own sweep, such as letters before an end.
    package let sweep: @Sendable () async -> Void
    /// What it does after somebody has changed something; nil: nothing.
    package let errand: Errand?
    /// What it shows on somebody's profile to a viewer; a section, or nothing.
    package let profile: @Sendable (PostAuthor, Viewer) async throws -> HTML

    /// - Parameters:
    ///   - comments: what people say about what is listed here, by addresses of their own; nil: nothing.
    ///   - votes: what they think of it, the same.
    package init(
        name: String, title: @escaping @Sendable () -> String, routes: [WebRoute],
        sweep: @escaping @Sendable () async -> Void = {}, errand: Errand? = nil,
        profile: @escaping @Sendable (PostAuthor, Viewer) async throws -> HTML = { _, _ in .nothing },
        comments: BoardComments? = nil, votes: BoardVotes? = nil
    ) {
        self.name = name
        self.title = title
        self.routes = routes + (comments?.routes ?? []) + (votes?.routes ?? [])
        self.sweep = sweep
        self.errand = errand
        self.profile = profile
    }
}
