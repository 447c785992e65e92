internal import ChirpWeb

/// The form of the page: whom to hear, and for how long.
struct LiveForm {
    let page: LivePage

    var html: HTML {
        """
        <form class="form choose" id="choice" method="post" action="\(page.prefix)/live" novalidate data-choose>
        <input type="hidden" name="token" value="\(page.token)"><input type="hidden" name="zone" value="">
        \(accounts)
        \(time)
        <p><button class="main begin" name="do" value="\(isRunning ? "change" : "start")" data-start>\
        \(isRunning ? word("live.change") : word("live.start"))</button></p>
        </form>
        """
    }

    private func problem(_ field: LivePage.Refusal.Field) -> HTML {
        let sentence = page.refusal.flatMap { $0.field == field ? "\($0.sentence)." : nil } ?? ""
        return "<span class=\"problem\" id=\"\(field.rawValue)-problem\">\(sentence)</span>"
    }

    private func invalid(_ field: LivePage.Refusal.Field) -> HTML {
        page.refusal?.field == field ? " aria-invalid=\"true\"" : .nothing
    }

    private var accounts: HTML {
        """
        <fieldset id="accounts" tabindex="-1" aria-describedby="accounts-problem"><legend>\(word("live.accounts"))</legend>
        \(problem(.accounts))
        <p class="field scripted"><label for="find">\(word("live.find"))</label>
        <input id="find" type="search" autocomplete="off" spellcheck="false" data-find></p>
        <p class="actions scripted"><button type="button" data-all>\(word("live.all"))</button>
        <button type="button" data-none>\(word("live.none"))</button></p>
        <ul class="choices" role="list" data-people>
        \(HTML(joining: page.people.map(person), separator: "\n"))
        </ul>
        \(page.isWhole ? .nothing : unlisted)
        <p class="hint" data-nobody-found hidden>\(word("live.find.nobody"))</p>
        <p class="turning scripted" data-turning><button type="button" data-previous>\(word("live.previous"))</button>
        <span data-page></span> <button type="button" data-more>\(word("live.more"))</button></p>
        </fieldset>
        """
    }

    private var unlisted: HTML {
        "<p class=\"hint\">\(word("live.unlisted", ["most": "\(LivePage.mostListed)"]))</p>"
    }

    /// The label is the handle alone, so that the box is named with it; the name describes it.
    private func person(_ person: LivePage.Person) -> HTML {
        let checked: HTML = person.isChosen ? " checked" : .nothing
        return """
            <li><input type="checkbox" id="account-\(person.id)" name="account" value="\(person.id)" \
            aria-describedby="name-\(person.id)"\(checked)><label for="account-\(person.id)">@\(person.handle)</label>
            <span class="hint" id="name-\(person.id)" dir="auto">\(person.name)</span></li>
            """
    }

    private var isRunning: Bool { page.session != nil }

    private var time: HTML {
        """
        <fieldset><legend>\(word("live.time"))</legend>
        <p class="field"><label for="for">\(word("live.for"))</label>\(problem(.duration))
        <span class="hint" id="for-hint">\(word("live.for.hint"))<span data-unchanged\(isRunning ? .nothing : " hidden")>. \
        \(word("live.for.unchanged"))</span></span>
        <input id="for" name="for" autocomplete="off" spellcheck="false" value="\(page.typed.duration)" \
        aria-describedby="for-problem for-hint"\(invalid(.duration))></p>
        <p class="hint" id="frame-hint">\(word("live.frame.hint"))</p>
        <div class="frames"><p class="field"><label for="begins">\(word("live.begins"))</label>\(problem(.begins))
        <input id="begins" name="begins" type="time" value="\(page.typed.begins)" \
        aria-describedby="begins-problem frame-hint"\(invalid(.begins))></p>
        <p class="field"><label for="ends">\(word("live.ends"))</label>\(problem(.ends))
        <input id="ends" name="ends" type="time" value="\(page.typed.ends)" \
        aria-describedby="ends-problem frame-hint"\(invalid(.ends))></p></div>
        </fieldset>
        """
    }
}
