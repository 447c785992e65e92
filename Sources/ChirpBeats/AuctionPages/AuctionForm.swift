internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials

/// What an author has typed who opens an auction, or changes one.
struct AuctionForm {
    var start = ""
    var currency = "EUR"
    var step = ""
    var ends = ""
    var key = HubID().text
    /// Of the terms that she has read; 0: there is no auction yet.
    var version = 0

    init() {}

    init(_ auction: Auction) {
        (start, currency) = (auction.start.digits, auction.start.currency.code)
        step = Money(auction.step, auction.start.currency).digits
        ends = TypedTime.field(auction.ends)
        version = auction.version
    }

    /// What was sent, by the names of fields.
    init(_ field: (String) -> String) {
        (start, step, ends) = (field("start"), field("step"), field("ends"))
        if !field("currency").isEmpty { currency = field("currency") }
        if !field("key").isEmpty { key = field("key") }
        version = field("version").integer(in: 0 ... .max) ?? 0
    }

    /// What it asks for.
    ///
    /// - Throws: ``AuctionRefusal/fields(_:)``; the store knows the rest.
    func terms() throws(AuctionRefusal) -> AuctionTerms {
        guard let currency = Currency(currency) else { throw .fields([.start: .notPositive]) }
        var faults: [AuctionTerms.Field: AuctionTerms.Fault] = [:]
        func amount(_ text: String, _ field: AuctionTerms.Field) -> Int64 {
            do throws(Money.Fault) { return try Money(text, currency).amount } catch {
                if case .tooMuch = error {
                    faults[field] = .tooMuch(most: Money.most)
                } else {
                    faults[field] = .notPositive
                }
                return 0
            }
        }
        let (start, step) = (amount(start, .start), amount(step, .step))
        let end = TypedTime.date(ends, offset: 0)
        if end == nil { faults[.ends] = .tooSoon(least: AuctionTerms.shortest) }
        guard faults.isEmpty, let end else { throw .fields(faults) }
        return AuctionTerms(start: Money(start, currency), step: step, ends: end)
    }
}

/// The form in which an author opens an auction, or changes one that nobody has bid at.
struct AuctionFormPage {
    let form: AuctionForm
    let track: Track
    let refusal: (any BoardRefusal)?
    let layout: BeatLayout
    let links: HubLinks

    var html: HTML {
        let faults = (refusal as? AuctionRefusal)?.faults ?? [:]
        let fields = FormFields<AuctionTerms.Field>(
            style: "beat",
            value: { field in
                switch field {
                case .start: form.start
                case .step: form.step
                case .ends: form.ends
                }
            }, faults: faults, label: \.label)
        let isNew = form.version == 0
        return layout.form(
            title: isNew ? word("deal.open") : word("deal.change"), problem: fields.summary(refusal?.sentence),
            content: """
                <p role="status"></p>
                <p dir="auto"><a href="\(links.prefix)\(track.path)">\(track.item.title)</a></p>
                <p>\(word("deal.open.lead"))</p>
                <form method="post" action="\(links.prefix)\(track.path)/auction"><input type="hidden" name="token" value="\(layout.token ?? "")">\
                <input type="hidden" name="key" value="\(form.key)"><input type="hidden" name="version" value="\(form.version)">
                \(fields.line(
                    .start, word("deal.field.start"), hint: word("beat.hint.amount"), most: 12, isRequired: true,
                    more: " inputmode=\"decimal\""))
                <p class="field"><label for="currency">\(word("beat.field.currency"))</label>
                <select id="currency" name="currency">\(currencies)</select></p>
                \(fields.line(
                    .step, word("deal.field.step"), hint: word("deal.hint.step"), most: 12, isRequired: true,
                    more: " inputmode=\"decimal\""))
                \(fields.line(
                    .ends, word("deal.field.ends"), hint: word("deal.hint.ends"), type: "datetime-local",
                    isRequired: true))
                <p class="actions"><button class="main">\(isNew ? word("deal.open.send") : word("beat.role.send"))</button></p></form>
                \(isNew ? .nothing : withdrawal)
                """)
    }

    private var currencies: HTML {
        FormFields<AuctionTerms.Field>.options(
            TrackPrice.Currency.allCases.map { ($0.rawValue, $0.rawValue) }, chosen: form.currency)
    }

    private var withdrawal: HTML {
        layout.button(word("deal.withdraw"), to: "\(links.prefix)\(track.path)/auction/withdrawal")
    }
}

/// What a bid binds to, and the button that places it.
struct BidPage {
    let track: Track
    let auction: Auction
    let typed: String
    /// Nil where it would not be taken.
    let binding: BidBinding?
    /// What was sold before.
    let earlier: EarlierLicences
    let keepsCards: Bool
    let key: String
    let problem: String?
    let layout: BeatLayout
    let links: HubLinks

    var html: HTML {
        layout.form(
            title: word("deal.bid.title"), problem: problem.map { "<p>\($0).</p>" } ?? .nothing,
            content: """
                <p role="status"></p>
                <p dir="auto"><a href="\(links.prefix)\(track.path)#auction">\(track.item.title)</a></p>
                <p>\(auction.level)</p>
                \(confirmation)\(again)
                """)
    }

    private var confirmation: HTML {
        guard let binding else { return .nothing }
        return """
            \(earlier.html)<p>\(word("deal.earlier.more"))</p>
            <p class="beat-binds"><strong>\(binding.sentence(ends: auction.ends, keepsCards: keepsCards))</strong></p>
            <form method="post" action="\(links.prefix)\(track.path)/bid"><input type="hidden" name="token" value="\(layout.token ?? "")">\
            <input type="hidden" name="key" value="\(key)"><input type="hidden" name="amount" value="\(binding.money.digits)">\
            <input type="hidden" name="auction" value="\(binding.auction.text)">\
            <input type="hidden" name="version" value="\(Int(binding.version))"><input type="hidden" name="card" value="\(binding.card.rawValue)">
            <p class="actions"><button class="main">\(word("deal.bid.send", ["money": binding.money.words]))</button>
            <a class="quiet" href="\(links.prefix)\(track.path)#auction">\(word("deal.bid.leave"))</a></p></form>

            """
    }

    /// Where it would not be taken: another amount.
    private var again: HTML {
        guard binding == nil, auction.phase == .running else { return .nothing }
        return """
            <form method="get" action="\(links.prefix)\(track.path)/bid">
            <p class="field"><label for="amount">\(word("deal.field.bid", ["currency": auction.needed.currency.code]))</label>\
            <span class="hint" id="amount-hint">\(word("deal.hint.bid", ["needed": auction.needed.words]))</span>
            <input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="12" required \
            aria-describedby="problem amount-hint" aria-invalid="true" value="\(typed)"></p>
            <p><button class="main">\(word("deal.bid"))</button></p></form>
            """
    }
}
