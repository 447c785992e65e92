package import ChirpWeb

/// What the pages of one board have in common: its ways, style and script.
package protocol BoardLayout {
    /// Of the page's forms; nil for visitors.
    var token: String? { get }

    func page(title: String, head: HTML, body: HTML) -> HTML
}

extension BoardLayout {
    /// In the head of a page that no search engine is to keep.
    package static var unlisted: HTML { "<meta name=\"robots\" content=\"noindex\">" }

    package func page(title: String, body: HTML) -> HTML { page(title: title, head: .nothing, body: body) }

    /// A page with one form on it, which no search engine keeps. What was wrong has the id `problem`, for the field that it belongs to.
    ///
    /// - Parameters:
    ///   - problem: what was wrong with what was sent.
    ///   - content: the form, and what stands above it.
    package func form(title: String, problem: HTML, content: HTML) -> HTML {
        page(
            title: title, head: Self.unlisted,
            body: """
                <div class="form"><h1>\(title)</h1>
                <div role="alert" class="problem" id="problem">\(problem)</div>
                \(content)</div>
                """)
    }

    /// A form that is one button.
    ///
    /// - Parameter path: with the prefix.
    package func button(_ name: String, to path: String) -> HTML {
        """
        <form method="post" action="\(path)"><input type="hidden" name="token" value="\(token ?? "")">\
        <p><button class="act">\(name)</button></p></form>
        """
    }
}
