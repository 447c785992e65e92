internal import ChirpCommunity
internal import ChirpWeb

/// Asks once more before something is removed.
struct ConfirmPage {
    let title: String
    /// What goes, in a sentence.
    let text: HTML
    /// The path that the form is sent to, without the prefix.
    let action: String
    /// Where it goes on without.
    let back: String
    let token: String
    let links: HubLinks

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(title) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(title)</h1>
                <p>\(text)</p>
                <form method="post" action="\(links.prefix)\(action)"><input type="hidden" name="token" value="\(token)">
                <p class="actions"><button class="main">\(word("clip.delete"))</button>
                <a class="quiet" href="\(links.prefix)\(back)">\(word("clip.keep"))</a></p></form></div>
                """)
    }
}
