internal import ChirpCommunity
internal import ChirpWeb

/// What is shown without a network in place of a page that is not kept.
struct OfflinePage {
    let links: HubLinks

    var html: HTML {
        let prefix = links.prefix
        return Layout(prefix: prefix).page(
            title: "\(word("offline.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="failure"><h1>\(word("offline.title"))</h1>
                <p>\(word("offline.lead"))</p>
                <p class="actions"><a class="quiet" href="\(prefix)/">\(word("offline.home"))</a>
                <a class="quiet" href="\(prefix)/replay">\(word("offline.replay"))</a>
                <a class="quiet" href="\(prefix)/record">\(word("offline.record"))</a></p>
                <p class="actions"><a class="main" href="">\(word("offline.again"))</a></p></div>
                """)
    }
}

/// How much this browser keeps of the hub, and the way to erase it. The server knows nothing of it: the script counts.
struct KeptPage {
    let links: HubLinks

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(word("kept.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            script: PageScript(.kept, words: ["kept."]),
            body: """
                <div class="form"><h1>\(word("kept.title"))</h1>
                <p>\(word("kept.lead"))</p>
                <noscript><p>\(word("kept.script"))</p></noscript>
                <ul class="cases">\(row("pages", word("kept.pages")))\(row("clips", word("kept.clips")))\
                \(row("recordings", word("kept.recordings")))</ul>
                <p><a href="\(links.prefix)/settings">\(word("kept.settings"))</a></p>
                <dialog aria-labelledby="sure"><form method="dialog"><h2 id="sure">\(word("kept.sure"))</h2>
                <p data-what></p><p class="actions"><button value="erase" class="main">\(word("kept.erase"))</button>
                <button value="keep" autofocus>\(word("kept.keep"))</button></p></form></dialog></div>
                """)
    }

    private func row(_ kind: String, _ name: String) -> HTML {
        """
        <li data-kind="\(kind)"><p><strong data-name>\(name)</strong>: <span data-size>\(word("kept.counting"))</span></p>
        <p><button type="button" aria-label="\(word("kept.erase")): \(name)">\(word("kept.erase"))</button></p></li>
        """
    }
}
