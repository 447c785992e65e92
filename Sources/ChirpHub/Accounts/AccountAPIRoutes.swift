internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// The account and its sessions, for programs: the same acts as the pages.
struct AccountAPIRoutes {
    let desk: AccountDesk

    private static let base = "/api/hub/v1/account"
    /// Of a body, in bytes.
    private static let most = 16 << 10
    /// What a token must allow.
    private static let scope: TokenRule = "write:accounts"

    var routes: [WebRoute] { signingUp + changing }

    private var signingUp: [WebRoute] {
        [
            .api(
                .post, Self.base, .everybody, scope: .open, body: .upTo(Self.most),
                summary: "Signs somebody up; a letter confirms the address",
                takes: [
                    .text("handle"), .text("mail"), .text("password"),
                    .text("invitation", isRequired: false, "the token of an invitation, where one is needed"),
                ], gives: 202
            ) { request, context in
                let fields = try await request.fields(upTo: Self.most)
                let done = try await desk.signUp(
                    handle: fields["handle"] ?? "", mail: fields["mail"] ?? "",
                    password: Secret(fields["password"] ?? ""), invitation: fields["invitation"] ?? "",
                    from: context)
                return try Self.sent(done.mail)
            },
            .api(
                .post, "\(Self.base)/confirm", .everybody, scope: .open, body: .upTo(Self.most),
                summary: "Confirms a mail address by the token of the letter's link", takes: [.text("token")],
                gives: 204
            ) { request, _ in
                try await desk.confirm(try await request.fields(upTo: Self.most)["token"] ?? "")
                return .nothing
            },
            .api(
                .post, "\(Self.base)/reset", .everybody, scope: .open, body: .upTo(Self.most),
                summary: "Sends a link that sets a password, where the address has an account", takes: [.text("mail")],
                gives: 202
            ) { request, context in
                let fields = try await request.fields(upTo: Self.most)
                return try Self.sent(try await desk.askForReset(mail: fields["mail"] ?? "", from: context))
            },
            .api(
                .post, "\(Self.base)/reset/confirm", .everybody, scope: .open, body: .upTo(Self.most),
                summary: "Sets a password by the token of the letter's link",
                takes: [.text("token"), .text("password")],
                gives: 204
            ) { request, _ in
                let fields = try await request.fields(upTo: Self.most)
                try await desk.reset(fields["token"] ?? "", to: Secret(fields["password"] ?? ""))
                return .nothing
            },
        ]
    }

    private var changing: [WebRoute] {
        [
            .api(
                .put, "\(Self.base)/password", .signedIn, scope: Self.scope, body: .upTo(Self.most),
                summary: "Sets another password; sessions and tokens end",
                takes: [.text("password"), .text("newPassword")],
                gives: 204
            ) { request, context in
                let fields = try await request.fields(upTo: Self.most)
                let session = try await desk.changePassword(
                    of: try await desk.account(context), from: Secret(fields["password"] ?? ""),
                    to: Secret(fields["newPassword"] ?? ""), agent: request.agent, in: context)
                guard context.scopes == nil else {
                    // A program keeps no session, and its token has ended with the others.
                    try await desk.accounts.signOut(session.token)
                    return .nothing
                }
                return desk.carrying(session, request, .nothing)
            },
            .api(
                .put, "\(Self.base)/mail", .signedIn, scope: Self.scope, body: .upTo(Self.most),
                summary: "Asks for another mail address, which a letter confirms",
                takes: [.text("password"), .text("mail")], gives: 202
            ) { request, context in
                let fields = try await request.fields(upTo: Self.most)
                return try Self.sent(
                    try await desk.changeMail(
                        of: try await desk.account(context), to: fields["mail"] ?? "",
                        password: Secret(fields["password"] ?? ""), from: context))
            },
            .api(
                .put, "\(Self.base)/handle", .signedIn, scope: Self.scope, body: .upTo(Self.most),
                summary: "Takes another user name, at most once in 30 days; the old one leads to it",
                takes: [.text("password"), .text("handle")], gives: 204
            ) { request, context in
                let fields = try await request.fields(upTo: Self.most)
                try await desk.changeHandle(
                    of: try await desk.account(context), to: fields["handle"] ?? "",
                    password: Secret(fields["password"] ?? ""), in: context)
                return .nothing
            },
            .api(
                .delete, Self.base, .signedIn, scope: Self.scope, body: .upTo(Self.most),
                summary: "Removes the account with all that is in it", takes: [.text("password")], gives: 204
            ) { request, context in
                let fields = try await request.fields(upTo: Self.most)
                try await desk.delete(
                    try await desk.account(context), password: Secret(fields["password"] ?? ""), in: context)
                return Response.nothing.setting(desk.cookie, to: "", seconds: 0)
            },
        ]
    }

    private struct Sent: Encodable { let mail: String }

    private static func sent(_ mail: MailAddress) throws -> Response {
        try .json(Sent(mail: mail.text), status: .accepted).uncached
    }
}

extension Response {
    /// It is done, and there is nothing to say.
    static let nothing = Response(status: .noContent, headers: [.cacheControl: "no-store"])
}
