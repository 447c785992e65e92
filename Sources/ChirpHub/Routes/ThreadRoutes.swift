internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Messages by the hub's own API.
struct ThreadRoutes {
    let desk: MessageDesk

    private var links: HubLinks { desk.desk.links }

    var routes: [WebRoute] {
        let path = "/api/hub/v1/threads"
        return [
            .api(
                .get, path, .signedIn, scope: "read:statuses",
                summary: "Lists one's conversations, the one with the newest message first", query: [.number("before")]
            ) { request, context in
                let (found, me) = (try await desk.threads(request, context), try context.account)
                return link(
                    found.older, request,
                    .json { json in
                        json.field("threads") { json in
                            json.array(found.threads) { json, item in
                                json.object { json in
                                    fields(item.thread, &json)
                                    json.field("newest") { write(item.newest, me, &$0) }
                                }
                            }
                        }
                    })
            },
            .api(
                .post, path, .active, scope: "write:statuses", body: .upTo(64 << 10),
                summary: "Writes to people by their names", takes: [.list("to", isRequired: true), .text("text")]
            ) { request, context in
                let sent = try await request.fields()
                let form = Form(sent)
                return try await answer(try await desk.write(form, to: sent.list("to"), context), context)
            },
            .api(
                .get, "\(path)/:id", .signedIn, scope: "read:statuses",
                summary: "Reads the messages of a conversation, newest first", query: [.number("before")]
            ) { request, context in
                guard let opened = try await desk.open(request, context) else { throw Problem.recordNotFound }
                let me = try context.account
                return link(
                    opened.older, request,
                    .json { json in
                        fields(opened.thread, &json)
                        json.field("messages") { json in
                            json.array(opened.posts) { write($1, me, &$0, strangers: opened.strangers) }
                        }
                    })
            },
            .api(
                .post, "\(path)/:id", .active, scope: "write:statuses", body: .upTo(64 << 10),
                summary: "Writes to those of a conversation", takes: [.text("text")]
            ) { request, context in
                guard let opened = try await desk.open(request, context) else { throw Problem.recordNotFound }
                let form = Form(try await request.fields())
                return try await answer(try await desk.answer(form, opened.thread, context), context)
            },
            .api(
                .post, "\(path)/:id/read", .signedIn, scope: "write:conversations",
                summary: "Says that one has read a conversation", gives: 204
            ) { request, context in
                guard let opened = try await desk.open(request, context) else { throw Problem.recordNotFound }
                try await desk.read(opened.thread, context)
                return Response(status: .noContent)
            },
        ]
    }

    private func answer(_ sent: Result<HubPost, WordsRefusal>, _ context: WebContext) async throws -> Response {
        switch sent {
        case .success(let post):
            let thread = try await desk.thread(of: post, context)
            if let thread { try await desk.read(thread, context) }
            let me = try context.account
            return .json { json in
                json.field("thread", thread?.id)
                json.field("message") { write(post, me, &$0) }
            }
        case .failure(let why): throw why.problem
        }
    }

    private func fields(_ thread: MessageThread, _ json: inout JSONText) {
        json.field("id", thread.id)
        json.field("unread", thread.unread)
        json.field("people") { json in
            json.array(thread.people) { json, person in
                json.object { json in
                    json.field("handle", person.handle)
                    json.field("name", person.name)
                    json.field("page", links.person(person))
                }
            }
        }
    }

    /// - Parameter strangers: whose words are looked at.
    private func write(
        _ post: HubPost, _ me: AccountID, _ json: inout JSONText, strangers: Set<AccountID> = []
    ) {
        json.object { json in
            json.field("id", post.id)
            json.field("from", post.author.handle)
            json.field("own", post.author.id == me)
            json.field("text", PostWords.bare(post.text))
            json.field("caution", strangers.contains(post.author.id) && Swindle.isLikely(in: post.text))
            json.field("created", post.created)
            json.field("clip") { json in
                guard let clip = post.clip else { return json.value(String?.none) }
                json.object { json in
                    json.field("id", clip.id.text)
                    json.field("title", clip.title)
                    json.field("seconds", seconds: clip.sound?.seconds)
                    json.field("page", links.page(clip.id))
                    json.field("audio", links.audio(clip.id))
                }
            }
        }
    }

    private func link(_ older: Int64?, _ request: Request, _ response: Response) -> Response {
        guard let older else { return response }
        var response = response
        response.headers[.link] = "<\(links.publicURL)\(request.uri.path)?before=\(older)>; rel=\"next\""
        return response
    }
}

extension Form {
    /// What a program has sent, where a page would have sent a form.
    fileprivate init(_ sent: RequestFields) {
        self.init(pairs: ["text", "key"].compactMap { name in sent[name].map { (name, $0) } })
    }
}
