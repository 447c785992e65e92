internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// A person takes along what the hub holds of her.
struct ExportRoutes {
    let desk: AccountDesk
    let library: HubLibrary

    /// Each reads all of an account's clips.
    private static let rule = RateRule(5, per: 3600)

    var routes: [WebRoute] {
        [
            .get("/settings/export", .signedIn) { request, context in
                desk.show(page(try await desk.account(context)), request)
            },
            .post("/settings/export", .signedIn) { request, context, form in
                let account = try await desk.account(context)
                let accounts: Accounts
                do throws(AccountError) {
                    accounts = try await desk.confirm(account, form, in: context)
                    try await desk.limits.consume("export", Self.rule, by: .account(account.id))
                } catch {
                    return desk.again(page(account), error, request)
                }
                return try await answer(account, accounts)
            },
            // Everything is in it, so a token that reads a part is not enough.
            .api(
                .post, "/api/hub/v1/account/export", .signedIn, scope: "read", body: .upTo(16 << 10),
                summary: "Gives all that the hub holds of the account, as a tar archive", takes: [.text("password")],
                givesType: "application/x-tar"
            ) { request, context in
                let account = try await desk.account(context)
                let fields = try await request.fields(upTo: 16 << 10)
                let accounts = try await desk.confirm(account, password: Secret(fields["password"] ?? ""), in: context)
                try await desk.limits.consume("export", Self.rule, by: .account(account.id))
                return try await answer(account, accounts)
            },
        ]
    }

    /// The archive, made while it is sent.
    ///
    /// - Parameter accounts: as ``AccountDesk/confirm(_:_:in:)`` gives them.
    private func answer(_ account: HubAccount, _ accounts: Accounts) async throws -> Response {
        let tape = ExportTape(try await library.export(of: account.id), library: library, at: library.now())
        // All that was read is from before: whoever was put out meanwhile is not given it.
        try await accounts.askAgain()
        let headers: HTTPFields = [
            .contentType: "application/x-tar", .cacheControl: "no-store",
            .contentDisposition: "attachment; filename=\"\(account.handle.text).tar\"",
        ]
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                var tape = tape
                while let piece = try await tape.next() { try await writer.write(ByteBuffer(bytes: piece)) }
                try await writer.finish(nil)
            })
    }

    private func page(_ account: HubAccount) -> FormPage {
        FormPage(
            title: word("settings.export"), action: "/settings/export", fields: desk.passwordNow(account),
            button: word("settings.export"),
            lead: "<p>\(word("settings.export-lead"))</p>")
    }
}
