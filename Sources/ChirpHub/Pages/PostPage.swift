internal import ChirpCommunity
internal import ChirpWeb

/// A post without a clip, and what belongs to it: what it answers, and its answers.
struct PostPage {
    let post: HubPost
    /// In the order of the conversation.
    let thread: PostList
    let links: HubLinks
    var form: AnswerForm?

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(post.author.name) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <h1 dir="auto">\(post.author.name)</h1>
                <p class="byline"><a href="\(links.prefix)/@\(post.author.handle)"><bdi>@\(post.author.handle)</bdi></a>\(report)</p>
                \(thread.html(empty: .nothing))
                \(form?.html ?? .nothing)
                """)
    }

    /// Nobody reports what is her own.
    private var report: HTML {
        guard thread.acts?.me != post.author.id else { return .nothing }
        return " · <a href=\"\(links.prefix)/report/posts/\(Int(post.sequence))\">\(word("post.report"))</a>"
    }
}
