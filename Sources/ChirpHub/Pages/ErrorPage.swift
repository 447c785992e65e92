internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What people see when a page cannot be shown. It tells nothing about the inside.
struct ErrorPage {
    let status: HTTPResponse.Status
    let links: HubLinks

    private var words: (title: String, text: String) {
        switch status.code {
        case 401: (word("errors.401.title"), word("errors.401.text"))
        case 403: (word("errors.403.title"), word("errors.403.text"))
        case 404: (word("errors.404.title"), word("errors.404.text"))
        case 405: (word("errors.405.title"), word("errors.405.text"))
        case 410: (word("errors.410.title"), word("errors.410.text"))
        case 413: (word("errors.413.title"), word("errors.413.text"))
        case 416: (word("errors.416.title"), word("errors.416.text"))
        case 421: (word("errors.421.title"), word("errors.421.text"))
        case 429: (word("errors.429.title"), word("errors.429.text"))
        case 400..<500: (word("errors.other.title"), word("errors.other.text"))
        default: (word("errors.inside.title"), word("errors.inside.text"))
        }
    }

    var title: String { words.title }

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(words.title) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="failure"><p class="code">\(status.code)</p>
                <h1>\(words.title)</h1>
                <p>\(words.text)</p>
                <p class="actions"><a class="main" href="\(links.prefix)/">\(word("errors.back"))</a></p></div>
                """)
    }
}
