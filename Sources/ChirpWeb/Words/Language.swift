package import Hummingbird

/// A language that pages are written in.
package enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case german = "de"

    /// The language of the answer that is being made. Pages are made in the request's task, so they know it without being told each.
    @TaskLocal package static var current = Language.english

    /// The one that a visitor likes best (`Accept-Language`, RFC 9110, section 12.5.4); English where none is known.
    package init(accepting header: String?) {
        var best: (language: Language, quality: Double) = (.english, 0)
        // Browsers send some dozens of bytes.
        let header = String(decoding: (header ?? "").utf8.prefix(1000), as: UTF8.self)
        for range in header.lowercased().split(separator: ",").prefix(20) {
            let parts = range.split(separator: ";").map { $0.drop { $0 == " " } }
            guard let primary = parts.first?.prefix(while: { $0 != "-" && $0 != " " }) else { continue }
            let stated =
                parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2).decimal(in: 0...1) ?? 0 } ?? 1
            let language = primary == "*" ? .english : Language(rawValue: String(primary))
            // The first of equals: visitors name what they like in order.
            if let language, stated > best.quality { best = (language, stated) }
        }
        self = best.language
    }
}

/// Answers pages in the language that the visitor asks for.
package struct SpeaksLanguage: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let language = Language(accepting: request.headers[.acceptLanguage])
        var response = try await Language.$current.withValue(language) { try await next(request, context) }
        if response.headers[.contentType]?.hasPrefix("text/html") == true {
            response.headers[.contentLanguage] = language.rawValue
            response.headers[.vary] =
                response.headers[.vary].map { "\($0), Accept-Language" } ?? "Accept-Language"
        }
        return response
    }
}
