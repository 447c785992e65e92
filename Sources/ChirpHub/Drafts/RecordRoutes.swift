internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpNetworks
internal import ChirpWeb
internal import Hummingbird

/// The page `/record`: readable by anybody, since where nobody can sign in it has to say why.
struct RecordRoutes {
    let desk: DraftDesk
    let forgery: ForgeryCheck
    /// Seconds after which a recording stops by itself.
    let longest: Int

    /// The largest file that a browser without script sends, in bytes.
    static let mostBytes = 25 << 20

    var routes: [WebRoute] {
        [
            .get("/record") { request, context in await page(nil, request, context) },
            .post("/record", .active, file: "recording", upTo: Self.mostBytes + 4096) { request, context, form in
                guard let file = form.file else {
                    var answer = await page(word("recordform.empty"), request, context)
                    answer.status = .unprocessableContent
                    return answer
                }
                let draft = try await take(file, try context.someone)
                return Response(
                    status: .seeOther,
                    headers: [.location: "\(desk.links.prefix)/record?draft=\(draft)", .cacheControl: "no-store"])
            },
        ]
    }

    /// A file becomes a draft, as what is sent while speaking does.
    private func take(_ file: SentFile, _ person: Person) async throws -> HubID {
        var wishes = MediaItem.Wishes()
        wishes.isDraft = true
        let item = try await desk.uploads.begin(wishes, length: Int64(file.count), by: person)
        do {
            let writing = try await desk.uploads.write(item, at: 0, isToBeChecked: false)
            try await file.pieces { try await writing.write([$0]) }
            _ = try await writing.end(keepsAll: true)
        } catch {
            _ = try? await desk.library.removeDraft(item.id, of: item.owner)
            throw error
        }
        return item.id
    }

    private func page(_ problem: String?, _ request: Request, _ context: WebContext) async -> Response {
        let limits = await limits(context)
        return forgery.page(request) { token in
            let facts = RecordPage.Facts(
                token: token, isSignedIn: context.person != nil, longest: longest, limits: limits,
                tag: ShareText.tag, publicURL: desk.links.publicURL,
                person: context.person.map { "\($0.id)" } ?? "", takesFiles: context.person?.isActive == true,
                problem: problem)
            return Response.page(RecordPage(facts: facts, prefix: desk.links.prefix).html).uncached
        }
    }

    /// The hub's own, and those of the networks to which the owner has signed in, for her alone.
    private func limits(_ context: WebContext) async -> [RecordPage.Facts.Limit] {
        let own = RecordPage.Facts.Limit(
            network: "hub", most: DraftDesk.rules.limit, link: ClientStatusRoutes.link)
        guard let onward = desk.onward, context.person?.id == desk.library.owner.id.rawValue else { return [own] }
        return [own]
            + (await onward.linked()).map {
                RecordPage.Facts.Limit(network: $0.network, most: $0.most, link: $0.link)
            }
    }
}
