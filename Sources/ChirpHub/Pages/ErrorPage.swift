internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What people see when a page cannot be shown. It tells nothing about the inside.
struct ErrorPage {
    let status: HTTPResponse.Status
    let links: HubLinks

    private var words: (title: String, text: String) {
        switch status.code {
        case 401: ("Please sign in", "This is for people who are signed in. Sign in and try again.")
        case 403:
            (
                "Not taken",
                "You may not do this, or the form was not sent from its page. Open the page again and send it from there."
            )
        case 404: ("Nothing here", "The address may be mistyped, or the clip has not been published.")
        case 405: ("Not possible", "Pages and clips can only be read here.")
        case 410: ("This clip is gone", "It has expired or was removed by the person who published it.")
        case 413: ("Too much", "The request is larger than anything that is expected here.")
        case 416: ("Out of range", "The clip ends before the part that was asked for.")
        case 421: ("Wrong address", "This hub does not answer to that name.")
        case 429:
            ("Too many at once", "Your address listens to more streams than one may. One of them has to end first.")
        case 400..<500: ("This did not work", "The request could not be understood.")
        default: ("Something went wrong", "It was not your fault. Trying again in a moment may help.")
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
                <p class="actions"><a class="main" href="\(links.prefix)/">See the latest clips</a></p></div>
                """)
    }
}
