internal import ChirpCommunity
internal import ChirpWeb

/// Where a person looks after frames.
struct FrameCarePage {
    let frames: [FrameDocument]
    let friends: [FrameDocument.Person]
    /// What was wrong with the code.
    let wrong: String?
    let token: String
    let prefix: String

    var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("frames.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(word("frames.title"))</h1>
                <p role="status" data-status></p>
                <div role="alert" class="problem" data-alert>\(wrong.map { "<p><a href=\"#code\">\($0)</a></p>" } ?? .nothing)</div>
                <p>\(HTML.word("frames.lead", ["link": "<a href=\"\(prefix)/frame\">\(word("frame.title"))</a>"]))</p>
                <form method="post" action="\(prefix)/settings/frames">\(proof)
                <p class="field"><label for="code">\(word("frames.code"))</label>
                <span class="hint" id="code-hint">\(wrong ?? word("frames.code.hint"))</span>
                <input id="code" name="code" type="text" autocomplete="off" autocapitalize="characters" \
                aria-describedby="code-hint"\(wrong == nil ? .nothing : " aria-invalid=\"true\"") required></p>
                <p><button class="main">\(word("frames.add"))</button></p></form>
                \(frames.isEmpty ? "<p>\(word("frames.none"))</p>" : HTML(joining: frames.map(section), separator: "\n"))</div>
                """)
    }

    private var proof: HTML { "<input type=\"hidden\" name=\"token\" value=\"\(token)\">" }

    private func section(_ document: FrameDocument) -> HTML {
        let frame = document.frame
        let id: HTML = "<input type=\"hidden\" name=\"id\" value=\"\(frame.id)\">"
        return """
            <section aria-labelledby="frame-\(frame.id)"><h2 id="frame-\(frame.id)"><bdi>\(name(frame))</bdi></h2>
            <p>\(HTML.word("frames.contact", ["time": Wording.time(frame.contact ?? frame.visited)]))</p>
            <form method="post" action="\(prefix)/settings/frames/change">\(proof)\(id)
            \(frame.network == .hub ? choice(document) : .nothing)
            \(box("takeYourTime", word("frames.time"), frame.style.takeYourTime, frame))
            \(box("dims", word("frames.dims"), frame.style.dims, frame))
            \(box("spoken", word("frames.spoken"), frame.style.spoken, frame))
            \(rate(frame))
            \(frame.network == .x ? .nothing : box("answers", word("frames.answers"), frame.style.answers, frame))
            \(document.needsSignIn ? "<p class=\"hint\">\(word("frames.answers.more"))</p>" : .nothing)
            <p><button>\(word("frames.save"))</button></p></form>
            <form method="post" action="\(prefix)/settings/frames/end">\(proof)\(id)
            <p><button>\(word("frames.end"))</button></p></form></section>
            """
    }

    private func name(_ frame: FrameDevice) -> String { frame.name.isEmpty ? word("frame.title") : frame.name }

    private func choice(_ document: FrameDocument) -> HTML {
        let field = "vip-\(document.frame.id)"
        let none: HTML =
            document.vip == nil ? "<option value=\"\" selected>\(word("frames.nobody"))</option>" : .nothing
        let options = friends.map { friend -> HTML in
            let selected: HTML = friend.id == document.vip?.id ? " selected" : .nothing
            return "<option value=\"\(friend.id)\"\(selected)>\(friend.name) (@\(friend.handle))</option>"
        }
        return """
            <p class="field"><label for="\(field)">\(word("frames.vip"))</label>
            <select id="\(field)" name="vip">\(none)\(HTML(joining: options))</select></p>
            """
    }

    private func rate(_ frame: FrameDevice) -> HTML {
        var speeds = [
            (0.75, word("frame.rate.slow")), (1, word("frame.rate.usual")), (1.25, word("frame.rate.quick")),
        ]
        let now = frame.style.rate
        // Programs may have set another.
        if !speeds.contains(where: { $0.0 == now }) {
            speeds.append((now, word("frame.rate.own", ["times": "\(now)"])))
        }
        let options = speeds.map { speed -> HTML in
            let selected: HTML = speed.0 == now ? " selected" : .nothing
            return "<option value=\"\("\(speed.0)")\"\(selected)>\(speed.1)</option>"
        }
        return """
            <p class="field"><label for="rate-\(frame.id)">\(word("frame.rate"))</label>
            <select id="rate-\(frame.id)" name="rate">\(HTML(joining: options))</select></p>
            """
    }

    private func box(_ name: String, _ label: String, _ isOn: Bool, _ frame: FrameDevice) -> HTML {
        """
        <p class="choice"><label for="\(name)-\(frame.id)"><input id="\(name)-\(frame.id)" name="\(name)" type="checkbox" \
        value="on"\(isOn ? " checked" : .nothing)> \(label)</label></p>
        """
    }
}
