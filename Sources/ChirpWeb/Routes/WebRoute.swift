package import Hummingbird

/// One address that is answered: method, path, who may use it, and what answers. Router, guards, the table of rights in tests and
/// the description for programs come from these declarations.
package struct WebRoute: Sendable {
    package let method: HTTPRequest.Method
    /// Parts that begin with `:` are parameters.
    package let path: String
    package let access: Access
    /// For whom it is made.
    package let audience: Audience
    /// What is read of a request beside its head.
    package let body: RequestBody
    /// What it does, in a few words, for programs' authors; empty for pages.
    package let summary: String
    /// What programs send in the body.
    package let takes: [WebField]
    /// What programs may put behind the question mark.
    package let query: [WebField]
    /// The status of an answer when all went well.
    package let gives: Int
    /// The media type of such an answer.
    package let givesType: String
    package let answer: @Sendable (Request, WebContext) async throws -> Response

    /// For whom a route is made, and so how failures are told and how a sender proves who it is.
    package enum Audience: Hashable, Sendable {
        /// People with a browser: a session, a form with its token, a page that says what went wrong.
        case people
        /// Programs with a token that allows the scope, or none where ``Access/everybody`` may come. The scripts of this server's pages
        /// too: with a session, and the form's token in a header.
        case programs(scope: TokenRule)
    }

    private init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, audience: Audience, body: RequestBody,
        summary: String = "", takes: [WebField] = [], query: [WebField] = [], gives: Int = 200,
        givesType: String = "application/json",
        answer: @escaping @Sendable (Request, WebContext) async throws -> Response
    ) {
        self.givesType = givesType
        self.method = method
        self.path = path
        self.access = access
        self.audience = audience
        self.body = body
        self.summary = summary
        self.takes = takes
        self.query = query
        self.gives = gives
        self.answer = answer
    }

    /// A page or a document, read by whoever may.
    package static func get(
        _ path: String, _ access: Access = .everybody,
        answer: @escaping @Sendable (Request, WebContext) async throws -> Response
    ) -> WebRoute { WebRoute(.get, path, access, audience: .people, body: .none, answer: answer) }

    /// An act. Its form was checked against forgery before it is answered.
    package static func post(
        _ path: String, _ access: Access,
        answer: @escaping @Sendable (Request, WebContext, Form) async throws -> Response
    ) -> WebRoute {
        WebRoute(.post, path, access, audience: .people, body: .form) { request, context in
            guard let form = context.form else { throw HTTPError(.unsupportedMediaType) }
            return try await answer(request, context, form)
        }
    }

    /// An act with a file. Who may not do it is refused before the file is read, and a forgery before it is answered.
    ///
    /// - Parameters:
    ///   - file: the field with the file.
    ///   - most: bytes of the whole form.
    package static func post(
        _ path: String, _ access: Access, file: String, upTo most: Int,
        answer: @escaping @Sendable (Request, WebContext, FileForm) async throws -> Response
    ) -> WebRoute {
        post(path, access, files: [FileForm.Files(file, mostBytes: most)], upTo: most, answer: answer)
    }

    /// An act with fields and files. Who may not do it is refused before the form is read, and a forgery before it is answered.
    ///
    /// - Parameters:
    ///   - files: the fields that have files, how many each, and how large.
    ///   - most: bytes of the whole form.
    package static func post(
        _ path: String, _ access: Access, files: [FileForm.Files], upTo most: Int,
        answer: @escaping @Sendable (Request, WebContext, FileForm) async throws -> Response
    ) -> WebRoute {
        WebRoute(.post, path, access, audience: .people, body: .files(files, upTo: most)) { request, context in
            guard let form = context.fileForm else { throw HTTPError(.unsupportedMediaType) }
            return try await answer(request, context, form)
        }
    }

    /// What programs ask for.
    ///
    /// - Parameters:
    ///   - scope: what a token must allow, as in `"write:media"`; ``TokenRule/open`` where the answer is the same for everybody.
    ///   - summary: what it does, in a few words.
    ///   - takes: the body's fields, as far as they are described.
    ///   - query: the same, behind the question mark.
    ///   - gives: the status when all went well.
    ///   - givesType: the media type then.
    package static func api(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, scope: TokenRule, body: RequestBody = .none,
        summary: String, takes: [WebField] = [], query: [WebField] = [], gives: Int = 200,
        givesType: String = "application/json",
        answer: @escaping @Sendable (Request, WebContext) async throws -> Response
    ) -> WebRoute {
        // Many programs send an empty form or object where nothing is wanted.
        WebRoute(
            method, path, access, audience: .programs(scope: scope),
            body: body == .none && method != .get ? .upTo(4 << 10) : body, summary: summary, takes: takes,
            query: query, gives: gives, givesType: givesType, answer: answer)
    }
}

/// What is read of a request beside its head.
package enum RequestBody: Hashable, Sendable {
    case none
    /// A page's form.
    case form
    /// A page's form with files in some fields, of at most so many bytes in all.
    case files([FileForm.Files], upTo: Int)
    /// Whatever programs send, of at most so many bytes, which are read into memory.
    case upTo(Int)
    /// A file of at most so many bytes, which goes to the disk: see ``WebContext/receive(_:upTo:)``.
    case upload(upTo: Int)
    /// Whatever is sent, as it comes, however long it is.
    case stream

    /// Whether what is read of it lies in memory until the request is answered.
    var isInMemory: Bool {
        switch self {
        case .form, .upTo: true
        case .none, .files, .upload, .stream: false
        }
    }

    /// How long it may take to come, beside the time that a connection may be silent: a minute, and as long as it needs at 16 kB/s. Nil for files,
    /// which take what they take.
    var patience: Duration? {
        switch self {
        case .form: .seconds(60)
        case .upTo(let most): .seconds(60) + .seconds(most / 16_000)
        case .none, .files, .upload, .stream: nil
        }
    }
}
