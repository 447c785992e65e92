/// Whether the server is one to try things on. Pages are made in the request's task, so they know it without being told each.
enum Staging {
    @TaskLocal static var isOn = false

    /// What every page begins with.
    static var banner: HTML {
        isOn
            ? "<aside class=\"staging\" aria-label=\"\(word("layout.staging"))\"><p>\(word("layout.staged"))</p></aside>\n"
            : .nothing
    }
}
