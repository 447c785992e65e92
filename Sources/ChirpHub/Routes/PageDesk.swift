internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import ChirpWeb
internal import Hummingbird

/// What the pages of posts share: the library, and what their forms need.
struct PageDesk: Sendable {
    let library: HubLibrary
    let links: HubLinks
    let forgery: ForgeryCheck
    let limits: RateLimits
    /// What new accounts may post.
    let policy: PostingPolicy
    /// What boards show of somebody.
    var boards: [Board] = []
    /// Finds people at other servers; nil where the hub speaks with none.
    var elsewhere: ElsewhereDesk?

    func reader(_ context: WebContext) -> HubReader { library.seen(by: context.viewer) }

    /// Puts a mark to a post, as often as one may.
    func mark(_ post: HubPost, _ mark: PostMark, by account: AccountID) async throws {
        try await limits.consumeMark(by: account)
        try await library.mark(post, mark, by: account)
    }

    /// A page with posts. Who may do something with them gets the controls; the token comes with a cookie, which those who only read do
    /// not need.
    ///
    /// - Parameter page: makes it; without acts for those who only read.
    func page(
        _ posts: [HubPost], _ request: Request, _ context: WebContext, status: HTTPResponse.Status = .ok,
        _ page: (PostActs?) -> HTML
    ) async throws -> Response {
        guard let me = context.person, me.isActive else { return .page(page(nil), status: status) }
        let figures = try await reader(context).figures(of: posts.map(\.sequence))
        let (links, back) = (links, String(request.uri.description.prefix(1000)))
        return forgery.page(request) { token in
            let acts = PostActs(
                token: token, figures: figures, me: AccountID(rawValue: me.id), back: back, links: links)
            return .page(page(acts), status: status).uncached
        }
    }

    /// Goes on to a page of this hub.
    func goOn(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: "\(links.prefix)\(path)", .cacheControl: "no-store"])
    }

    /// Whether an account's clip it is; of nobody's it is the one whose library it is.
    func isOwn(_ clip: HubClip, _ context: WebContext) -> Bool {
        context.person?.id == (clip.owner ?? library.owner.id).rawValue
    }

    /// The clip that a path names, if it is the asker's.
    ///
    /// - Throws: 404, also for somebody else's; 410 for what is gone.
    func ownClip(_ context: WebContext) async throws -> HubClip {
        let clip = try await reader(context).visible(context.parameters.get("id"))
        guard isOwn(clip, context) else { throw HTTPError(.notFound) }
        return clip
    }

    /// The post that a path names by its place in the feed.
    ///
    /// - Throws: 404 when the viewer does not see it.
    func post(_ context: WebContext) async throws -> HubPost {
        guard let place = context.parameters.get("id")?.safeInteger,
            let post = try await reader(context).post(place)
        else { throw HTTPError(.notFound) }
        return post
    }

    /// Puts words into the feed.
    ///
    /// - Parameters:
    ///   - form: whose `text` they are; its `key` is the page's, so that a form that is sent twice is one post.
    ///   - names: who is told beside those whom the text names.
    func publish(
        _ form: Form, _ context: WebContext, to names: [String], change: (inout PostDraft) -> Void
    ) async throws(WordsRefusal) -> HubPost {
        guard let person = context.person else { throw .posting(.notActive) }
        let text = PlainText.lines(form["text"], limit: 10_000)
        guard !text.isEmpty else { throw .empty }
        guard ClientStatusRoutes.isWithin(text) else { throw .tooLong }
        let said = Set(PostText.mentions(in: text))
        let front = names.filter { !said.contains($0.lowercased()) }.map { "@\($0) " }.joined()
        let digest = FileDigest.sha256(of: "\(form["key"].prefix(100))\n\(front)\(text)")
        var draft = PostDraft(
            author: AccountID(rawValue: person.id), text: front + text,
            key: form["key"].isEmpty ? "new:\(HubID().text)" : "form:\(digest)")
        change(&draft)
        do throws(PostingRefusal) { return try await library.post(draft, under: policy) } catch {
            throw .posting(error)
        }
    }
}

/// Why words of a form were not taken.
enum WordsRefusal: Error, Hashable {
    case empty
    case tooLong
    /// There is nobody of that name who can be written to.
    case nobody(String)
    case posting(PostingRefusal)

    var sentence: String {
        switch self {
        case .empty: word("comment.empty")
        case .tooLong: word("comment.long", ["most": "\(ClientStatusRoutes.longest)"])
        case .nobody(let name): word("message.nobody", ["name": name])
        case .posting(.tooOften): word("comment.often")
        case .posting(.strangers(let seconds)):
            word("swindle.strangers", ["count": "\(StrangerLetters.most)", "wait": Wording.spoken(Double(seconds))])
        case .posting(.outward(let seconds)):
            word(
                "elsewhere.acts",
                ["most": "\(HubLibrary.mostOutwardActsADay)", "wait": Wording.spoken(Double(seconds))])
        case .posting(.notActive): word("comment.inactive")
        case .posting(.library): word("errors.inside.text")
        }
    }

    var status: HTTPResponse.Status {
        switch self {
        case .empty, .tooLong, .nobody: .unprocessableContent
        case .posting(let refusal): refusal.problem.status
        }
    }

    /// For programs.
    var problem: Problem {
        switch self {
        case .empty, .tooLong: Problem.refused(sentence, field: "text")
        case .nobody: Problem.refused(sentence, field: "to")
        case .posting(let refusal): refusal.problem
        }
    }
}
