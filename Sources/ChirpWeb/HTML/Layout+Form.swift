extension Layout {
    /// A page that is for one person and in no search engine: its heading, what was wrong with what was sent, and the rest.
    ///
    /// - Parameters:
    ///   - title: the page's own name, which is its heading too.
    ///   - head: further elements of the head.
    ///   - problem: a sentence without its full stop.
    package func form(title: String, head: HTML = .nothing, problem: String? = nil, body: HTML) -> HTML {
        let sentence: HTML = problem.map { "<p>\($0).</p>" } ?? .nothing
        return page(
            title: "\(title) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">\(head)",
            body: """
                <div class="form"><h1>\(title)</h1>
                <p role="status"></p>
                <div role="alert" class="problem">\(sentence)</div>
                \(body)</div>
                """)
    }
}
