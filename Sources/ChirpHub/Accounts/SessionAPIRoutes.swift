internal import ChirpAccounts
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Where a person is signed in, for programs.
struct SessionAPIRoutes {
    let desk: AccountDesk

    var routes: [WebRoute] {
        [
            .api(
                .get, "/api/hub/v1/sessions", .signedIn, scope: "read:accounts",
                summary: "The browsers in which the account is signed in"
            ) { _, context in
                let sessions = try await desk.accounts.sessions(of: try await desk.account(context).id)
                return try .json(sessions.map(SessionDocument.init)).uncached
            },
            .api(
                .delete, "/api/hub/v1/sessions/:id", .signedIn, scope: "write:accounts", summary: "Ends a session",
                gives: 204
            ) { _, context in
                let account = try await desk.account(context)
                let id = context.parameters.get("id")
                guard let session = try await desk.accounts.sessions(of: account.id).first(where: { $0.id == id })
                else {
                    throw Problem.recordNotFound
                }
                try await desk.accounts.end(session: session.id, of: account.id)
                return .nothing
            },
            .api(
                .delete, "/api/hub/v1/sessions", .signedIn, scope: "write:accounts",
                summary:
                    "Signs out everywhere: ends all sessions, tokens, frames, feed addresses and changes that wait",
                gives: 204
            ) { _, context in
                try await desk.accounts.signOutEverywhere(try await desk.account(context).id)
                return Response.nothing.setting(desk.cookie, to: "", seconds: 0)
            },
        ]
    }

    private struct SessionDocument: Encodable {
        let id: String
        let agent: String
        let created: Date
        let expires: Date

        init(_ session: SessionEntry) {
            (id, agent, created, expires) = (session.id, session.agent, session.created, session.expires)
        }
    }
}
