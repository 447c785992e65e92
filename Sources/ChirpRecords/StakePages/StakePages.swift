internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials

/// What is and was pledged, in a challenge's page.
struct StakeSection {
    let stakes: [Stake]
    let challenge: Challenge
    let view: ChallengeView
    let links: HubLinks

    /// Nothing where nothing was pledged and the viewer could not.
    var html: HTML {
        let mayPledge =
            view.isSetter && view.token != nil && challenge.item.state == .open
            && !stakes.contains { !$0.state.isSettled }
        guard !stakes.isEmpty || mayPledge else { return .nothing }
        let lines = stakes.map { stake -> HTML in
            let told = word("stake.told", ["amount": "\(stake.amount)", "unit": stake.unit])
            return "<li><strong dir=\"auto\">\(told)</strong> \(state(stake))</li>"
        }
        let list: HTML =
            lines.isEmpty ? .nothing : "<ul class=\"challenge-pledges\">\(HTML(joining: lines, separator: "\n"))</ul>"
        let act: HTML =
            mayPledge
            ? "<p><a href=\"\(links.prefix)\(challenge.path)/pledge\">\(word("stake.pledge"))</a></p>" : .nothing
        return """
            <section id="pledges" aria-labelledby="pledges-title"><h2 id="pledges-title">\(word("stake.title"))</h2>
            \(list)<p>\(word("stake.honest"))</p>\(act)</section>
            """
    }

    private func state(_ stake: Stake) -> HTML {
        let attempt: HTML =
            stake.attempt.map { "<a href=\"\(links.prefix)\(Attempt.path($0))\">\(word("stake.attempt"))</a>" }
            ?? .nothing
        let who = stake.winner?.name ?? word("stake.somebody")
        return switch stake.state {
        case .open: HTML.word("stake.state.open", ["time": Wording.time(stake.ends)])
        case .waiting: "\(word("stake.state.waiting"))"
        case .frozen(let until):
            "\(HTML.word("stake.state.frozen", ["who": "\(who)", "time": Wording.time(until)])) \(attempt)"
        case .paid(let date):
            "\(HTML.word("stake.state.paid", ["who": "\(who)", "time": Wording.time(date)])) \(attempt)"
        case .back(let date): HTML.word("stake.state.back", ["time": Wording.time(date)])
        }
    }
}

/// The form in which the setter of a challenge pledges.
struct StakeFormPage {
    let form: StakeForm
    let challenge: Challenge
    let limits: StakeLimits
    let refusal: StakeRefusal?
    let token: String?
    let links: HubLinks

    var html: HTML {
        let fields = FormFields<StakeTerms.Field>(
            style: "challenge",
            value: { field in
                switch field {
                case .amount: form.amount
                case .until: form.until
                case .unit, .adult, .key: ""
                }
            }, faults: refusal?.faults ?? [:], label: \.label)
        let points: HTML =
            refusal?.faults[.adult] == nil ? .nothing : " aria-describedby=\"adult-problem\" aria-invalid=\"true\""
        let adult: HTML =
            refusal?.faults[.adult].map { "<span class=\"problem\" id=\"adult-problem\">\($0).</span>" } ?? .nothing
        return RecordLayout(links: links, token: token).form(
            title: word("stake.pledge"), problem: fields.summary(refusal?.sentence),
            content: """
                <p dir="auto"><a href="\(links.prefix)\(challenge.path)">\(challenge.item.title)</a></p>
                <p>\(word("stake.how"))</p><p>\(word("stake.honest"))</p>
                <form method="post" action="\(links.prefix)\(challenge.path)/pledge">\
                <input type="hidden" name="token" value="\(token ?? "")"><input type="hidden" name="key" value="\(form.key)">\
                <input type="hidden" name="version" value="\(form.version)"><input type="hidden" name="unit" value="\(limits.unit)">
                \(fields.line(
                    .amount, word("stake.field.amount"),
                    hint: word("stake.hint.amount", ["unit": limits.unit, "most": "\(limits.most)"]), most: 10,
                    isRequired: true, more: " inputmode=\"numeric\""))
                \(fields.line(
                    .until, word("stake.field.until"), hint: word("stake.hint.until"), type: "date", isRequired: true))
                <p class="field">\(adult)<label><input id="adult" type="checkbox" name="adult" value="1" \
                required\(points)\(form.isAdult ? " checked" : .nothing)> \(word("stake.adult"))</label></p>
                <p class="actions"><button class="main">\(word("stake.send"))</button></p></form>
                """)
    }
}

/// What somebody has pledged and got.
struct StakeStatementPage {
    let statement: StakeStatement
    let token: String?
    let links: HubLinks

    static let perPage = 50

    var html: HTML {
        RecordLayout(links: links, token: token).page(
            title: word("stake.statement"), head: RecordLayout.unlisted,
            body: """
                <h1>\(word("stake.statement"))</h1><p>\(word("stake.honest"))</p>
                \(balances)\(table)\(more)
                """)
    }

    private var balances: HTML {
        HTML(
            joining: statement.balances.sorted { $0.key < $1.key }.map { unit, sum -> HTML in
                "<p dir=\"auto\">\(word("stake.balance", ["amount": "\(sum)", "unit": unit]))</p>"
            })
    }

    private var table: HTML {
        guard !statement.entries.isEmpty else { return "<p class=\"empty\">\(word("stake.none"))</p>" }
        let rows = statement.entries.map { entry -> HTML in
            let title: String = entry.title ?? word("stake.gone")
            let what: HTML =
                if let challenge = entry.challenge {
                    "<a href=\"\(links.prefix)\(RecordDesk.path)/\(challenge.text)\">\(title)</a>"
                } else {
                    "\(title)"
                }
            return """
                <tr><td>\(Wording.time(entry.at))</td><td dir="auto">\(what)</td><td>\(entry.why.words)</td>\
                <td dir="auto">\(word("stake.told", ["amount": "\(entry.amount)", "unit": entry.unit]))</td></tr>
                """
        }
        return """
            <div class="challenge-table"><table><thead><tr><th scope="col">\(word("stake.column.at"))</th>\
            <th scope="col">\(word("stake.column.challenge"))</th><th scope="col">\(word("stake.column.why"))</th>\
            <th scope="col">\(word("stake.column.amount"))</th></tr></thead>
            <tbody>\(HTML(joining: rows, separator: "\n"))</tbody></table></div>
            """
    }

    private var more: HTML {
        guard statement.entries.count == Self.perPage, let last = statement.entries.last else { return .nothing }
        return """
            <p><a href="\(links.prefix)\(RecordDesk.path)/pledges?before=\("\(last.id)")">\(word("stake.earlier"))</a></p>
            """
    }
}

extension StakeEntry.Reason {
    var words: String {
        switch self {
        case .pledge: word("stake.why.pledge")
        case .payout: word("stake.why.payout")
        case .back: word("stake.why.back")
        case .recall: word("stake.why.recall")
        }
    }
}

extension Stake {
    /// As programs read it.
    func write(_ json: inout JSONText) {
        json.field("id", id.text)
        json.field("amount", Int(amount))
        json.field("unit", unit)
        json.field("made", made)
        json.field("until", ends)
        let (name, at): (String, Date?) =
            switch state {
            case .open: ("open", nil)
            case .waiting: ("waiting", nil)
            case .frozen(let date): ("frozen", date)
            case .paid(let date): ("paid", date)
            case .back(let date): ("back", date)
            }
        json.field("state", name)
        json.field("since", name == "frozen" ? nil : at)
        json.field("frozenUntil", name == "frozen" ? at : nil)
        json.field("attempt", attempt?.text)
        json.field("winner", winner?.handle)
    }
}

extension StakeStatement {
    var document: JSONText {
        var text = JSONText()
        text.object { json in
            json.field("balances") { json in
                json.array(balances.sorted { $0.key < $1.key }) { json, balance in
                    json.object { json in
                        json.field("unit", balance.key)
                        json.field("amount", Int(balance.value))
                    }
                }
            }
            json.field("entries") { json in
                json.array(entries) { json, entry in
                    json.object { json in
                        json.field("id", "\(entry.id)")
                        json.field("pledge", entry.stake.text)
                        json.field("why", entry.why.rawValue)
                        json.field("amount", Int(entry.amount))
                        json.field("unit", entry.unit)
                        json.field("at", entry.at)
                        json.field("challenge", entry.challenge?.text)
                    }
                }
            }
        }
        return text
    }
}
