internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// Saying what one is on the board (AR-9), for people and programs.
struct RoleRoutes {
    let desk: BeatDesk

    private static let path = "\(BeatDesk.path)/role"

    var routes: [WebRoute] {
        [
            .get(Self.path, .active) { request, context in
                let roles = try await desk.roles.roles(of: try context.account)
                return desk.show(request, context) { page(roles, token: $0) }
            },
            .post(Self.path, .active) { request, context, form in
                try await desk.answering(request) {
                    let roles = Set(form.list("role").compactMap(BeatRole.init))
                    try await desk.roles.choose(roles, for: try context.account)
                    return desk.desk.goOn(to: "\(BeatDesk.path)/mine")
                }
            },
            .api(
                .get, "\(BeatDesk.api)/role", .signedIn, scope: "read:accounts",
                summary: "What one is on the board of beats, and so may offer"
            ) { _, context in
                try .json(RoleDocument(try await desk.roles.roles(of: try context.account))).personal
            },
            .api(
                .put, "\(BeatDesk.api)/role", .active, scope: "write:accounts",
                summary: "Says what one is on the board of beats; what was offered stays",
                takes: [.list("roles", "producer, artist; or user")]
            ) { request, context in
                try await desk.answering(request) {
                    let fields = try await request.fields()
                    let typed = fields.list("roles")
                    let roles = Set(typed.compactMap(BeatRole.init))
                    guard roles.count == Set(typed).count, !roles.isEmpty else {
                        throw Problem.notTaken(["roles": TrackFault.unknown.sentence])
                    }
                    try await desk.roles.choose(roles, for: try context.account)
                    return try .json(RoleDocument(roles)).personal
                }
            },
        ]
    }

    private struct RoleDocument: Encodable {
        let roles: [String]
        /// Kinds of tracks.
        let offers: [String]

        init(_ roles: Set<BeatRole>) {
            self.roles = roles.map(\.rawValue).sorted()
            offers = roles.compactMap(\.offers?.rawValue).sorted()
        }
    }

    private func page(_ roles: Set<BeatRole>, token: String?) -> HTML {
        let boxes = [BeatRole.producer, .artist].map { role -> HTML in
            """
            <p class="choice"><label><input type="checkbox" name="role" value="\(role.rawValue)"\
            \(roles.contains(role) ? " checked" : .nothing)> \(role.name)</label></p>
            """
        }
        return desk.layout(token).form(
            title: word("beat.role.title"), problem: .nothing,
            content: """
                <p role="status"></p>
                <p>\(word("beat.role.lead"))</p>
                <form method="post" action="\(desk.prefix)\(Self.path)"><input type="hidden" name="token" value="\(token ?? "")">
                <fieldset class="beat-choice"><legend>\(word("beat.role.legend"))</legend>\(HTML(joining: boxes))</fieldset>
                <p class="hint">\(word("beat.role.hint"))</p>
                <p><button class="main">\(word("beat.role.send"))</button></p></form>
                """)
    }
}
