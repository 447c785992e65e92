internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Where anybody sees what a licence says, whether it holds, and whether a file is the paper that was issued. The script hashes the file in the
/// browser; without it the file is sent, hashed and forgotten.
struct PaperRoutes {
    let desk: BeatDesk
    let sales: SaleDesk

    private static let path = "\(BeatDesk.path)/licences"
    private static let api = "\(BeatDesk.api)/licences"
    /// Papers have some ten thousand bytes, and those with many files some hundred.
    static let mostBytes = 8 << 20

    var routes: [WebRoute] {
        [
            .get("\(Self.path)/keys.pem") { request, _ in
                let keys = try await sales.grants.keys()
                return .document(
                    Data(keys.map(\.pem).joined().utf8), type: "application/x-pem-file", to: request)
            },
            .get("\(Self.path)/:id") { request, context in
                try await desk.answering(request) { try await page(request, context, file: nil) }
            },
            .post("\(Self.path)/:id", .everybody, file: "paper", upTo: Self.mostBytes) { request, context, form in
                try await desk.answering(request) {
                    try await desk.desk.consume(
                        "beat-paper", RateRule(120, per: 3600), by: .network(context.network), told: word("beat.often"))
                    return try await page(request, context, file: form.file)
                }
            },
            .api(
                .get, "\(Self.api)/:id", .everybody, scope: .open,
                summary:
                    "What a licence says, and whether it holds; with the hash of a file, whether that is its paper",
                query: [.text("sha256", isRequired: false, "of the file, hexadecimal")]
            ) { request, context in
                try await desk.answering(request) {
                    let digest = request.asked["sha256"]
                    let found = try await verdict(context, digest)
                    return try .json(
                        PaperDocument(found.grant, found.verdict, isFile: digest != nil, at: desk.now))
                }
            },
            .api(
                .get, "\(Self.api)/keys", .everybody, scope: .open,
                summary: "The public keys that licences were signed with, so that nobody needs the hub to check one"
            ) { _, _ in
                try .json(try await sales.grants.keys().map { KeyDocument(id: $0.id, pem: $0.pem) })
            },
        ]
    }

    private struct KeyDocument: Encodable { let id, pem: String }

    private struct PaperDocument: Encodable {
        let id, title, licenceName, licensor, licensee, verdict, sha256, key, statement, signature, seal: String
        let isInForce: Bool
        let sold: Date
        let expires, ended: Date?
        let why: String?
        /// What was compared: the file that was named, or the one that is kept here.
        let checked: String

        init(_ grant: Grant, _ verdict: GrantDocument.Verdict, isFile: Bool, at now: Date) {
            let (says, document) = (grant.says, grant.document)
            (id, title, licenceName) = (grant.id.text, says.title, says.licenceName)
            (licensor, licensee, sold) = (says.licensor, says.licensee, says.sold)
            (self.verdict, checked) = (verdict.rawValue, isFile ? "file" : "stored")
            (sha256, key) = (document.sha256, document.key)
            statement = Data(document.statement).base64EncodedString()
            signature = Data(document.signature).base64EncodedString()
            seal = Data(document.seal).base64EncodedString()
            isInForce = grant.isInForce(at: now)
            (expires, ended, why) = (grant.expires, grant.ending?.at, grant.ending?.why.rawValue)
        }
    }

    private func verdict(
        _ context: WebContext, _ digest: String?
    ) async throws -> (grant: Grant, verdict: GrantDocument.Verdict) {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw Problem.noTrack }
        do throws(GrantRefusal) { return try await sales.grants.verdict(on: id, fileWith: digest) } catch {
            if case .noSuchGrant = error { throw Problem.noTrack }
            throw PurchaseRefusal(error)
        }
    }

    private func page(_ request: Request, _ context: WebContext, file: SentFile?) async throws -> Response {
        let digest = file?.sha256
        let found = try await verdict(context, digest)
        // Visitors send a form here too, so they get its token.
        return desk.desk.forgery.page(request) { token in
            .page(
                PaperPage(
                    grant: found.grant, verdict: found.verdict, isFile: digest != nil, now: desk.now,
                    layout: desk.layout(token), links: desk.links, isVisitor: context.person == nil
                ).html
            ).personal
        }
    }
}
