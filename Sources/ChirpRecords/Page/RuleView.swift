internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials

/// A rule in plain words (OU-16).
struct RuleView {
    let rule: Rule
    let now: Date

    private var terms: RuleTerms { rule.terms }

    var html: HTML {
        let rows = facts.map { "<div><dt>\($0.name)</dt><dd>\($0.text)</dd></div>" as HTML }
        return """
            <p class="challenge-plain">\(sentence)</p>
            <dl class="challenge-rule">\(HTML(joining: rows, separator: "\n"))</dl>
            """
    }

    private var sentence: String {
        let values = ["what": terms.measure.name, "unit": terms.unit.name]
        return terms.better == .more ? word("challenge.plain.more", values) : word("challenge.plain.less", values)
    }

    private var facts: [(name: String, text: HTML)] {
        var facts: [(name: String, text: HTML)] = []
        facts.append((word("challenge.field.measure"), "\(terms.measure.name) (\(terms.unit.name))"))
        facts.append((word("challenge.rule.exact"), "\(exactness)"))
        facts.append(
            (
                word("challenge.rule.bounds"),
                "\(word("challenge.rule.between", ["low": terms.said(terms.low), "high": terms.said(terms.high)]))"
            ))
        let needs = RuleTerms.Evidence.allCases.filter(terms.needs.contains).map(\.name)
        facts.append(
            (
                word("challenge.field.needs"),
                needs.isEmpty ? "\(word("challenge.rule.nothing"))" : "\(needs.joined(separator: ", "))"
            ))
        facts.append(
            (
                word("challenge.field.where"),
                terms.place == .here
                    ? "\(word("challenge.where.here"))" : "\(word("challenge.where.anywhere"))"
            ))
        if let event = terms.event {
            facts.append((word("challenge.rule.event"), EventWording.sentence(event, now: now)))
            if event.grace > 0 {
                let closes = event.ends.addingTimeInterval(Double(event.grace))
                facts.append(
                    (word("challenge.field.grace"), HTML.word("challenge.rule.grace", ["time": Wording.time(closes)])))
            }
        }
        if !terms.invalid.isEmpty {
            facts.append((word("challenge.field.invalid"), RecordWording.lines(terms.invalid)))
        }
        facts.append((word("challenge.rule.ties"), "\(word("challenge.rule.ties.text"))"))
        return facts
    }

    private var exactness: String {
        terms.step == 1
            ? word("challenge.rule.decimals", count: terms.decimals)
            : word("challenge.rule.steps", ["step": terms.said(terms.step)])
    }
}
