internal import ChirpCommunity
internal import ChirpWeb

/// The field that finds people, tags and clips.
struct SearchField {
    let words: String
    let links: HubLinks

    var html: HTML {
        """
        <form class="form" method="get" action="\(links.prefix)/search" role="search">
        <p class="field"><label for="q">\(word("search.label"))</label>
        <input id="q" name="q" type="search" autocomplete="off" value="\(words)"></p>\
        <p><button class="main">\(word("search.button"))</button></p></form>
        """
    }
}
