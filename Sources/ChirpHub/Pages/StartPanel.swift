internal import ChirpCommunity
internal import ChirpWeb

/// The two things that people come for. "Go live" is the largest control of the page, "Record" the second (CH-21).
struct StartPanel {
    let links: HubLinks

    var html: HTML {
        """
        <section class="start" aria-label="\(word("home.start"))">
        <div><a class="go main" href="\(links.prefix)/live">\(word("home.live"))</a>
        <p>\(word("home.live.why"))</p></div>
        <div><a class="go second" href="\(links.prefix)/record">\(word("home.record"))</a>
        <p>\(word("home.record.why"))</p></div>
        </section>
        """
    }
}
