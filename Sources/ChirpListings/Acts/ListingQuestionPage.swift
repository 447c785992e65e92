internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// What an author is asked before it is done.
enum ListingQuestion {
    case settle(Listing)
    case renew(Listing)
    case withdraw(Listing, reason: String)

    var listing: Listing {
        switch self {
        case .settle(let listing), .renew(let listing), .withdraw(let listing, _): listing
        }
    }
}

/// The page with such a question. Taking back asks for a reason and a second time (LF-4).
struct ListingQuestionPage {
    let question: ListingQuestion
    let faults: [ListingField: ListingFault]
    let token: String
    let links: HubLinks

    var html: HTML {
        let listing = question.listing
        return ListingLayout(links: links, token: token).form(
            title: title, problem: ListingFields(form: ListingForm(), faults: faults).summary(nil),
            content: """
                <p role="status"></p>
                <p><b dir="auto">\(listing.item.title)</b></p>
                <p>\(lead)</p>
                <form method="post" action="\(links.prefix)\(listing.path)/\(noun)"><input type="hidden" name="token" value="\(token)">
                \(fields)
                <p class="actions"><button class="main">\(button)</button>
                <a class="quiet" href="\(links.prefix)\(listing.path)">\(word("listing.keep"))</a></p></form>
                """)
    }

    private var noun: String {
        switch question {
        case .settle: "closure"
        case .renew: "renewal"
        case .withdraw: "withdrawal"
        }
    }

    private var title: String {
        switch question {
        case .settle: word("listing.settle.title")
        case .renew: word("listing.renew.title")
        case .withdraw: word("listing.withdraw.title")
        }
    }

    private var lead: String {
        switch question {
        case .settle: word("listing.settle.lead")
        case .renew(let listing): word("listing.renew.lead", count: (listing.category ?? .other).days)
        case .withdraw: word("listing.withdraw.lead")
        }
    }

    private var button: String {
        switch question {
        case .settle: word("listing.settle.send")
        case .renew: word("listing.renew.send")
        case .withdraw: word("listing.withdraw.send")
        }
    }

    private var fields: HTML {
        switch question {
        case .renew: return .nothing
        case .settle(let listing):
            let usual: ListingStore.Outcome = listing.side == .lost ? .found : .returned
            var form = ListingForm()
            form[.outcome] = usual.rawValue
            return ListingFields(form: form, faults: faults).choice(
                .outcome, word("listing.field.outcome"),
                ListingStore.Outcome.allCases.map { ($0.rawValue, $0.name, .nothing) })
        case .withdraw(_, let reason):
            var form = ListingForm()
            form[.reason] = reason
            let wrong: HTML =
                faults[.sure].map { " <span class=\"problem\" id=\"sure-problem\">\($0.sentence).</span>" } ?? .nothing
            let points: HTML =
                faults[.sure] == nil ? .nothing : " aria-describedby=\"sure-problem\" aria-invalid=\"true\""
            return """
                \(ListingFields(form: form, faults: faults).lines(.reason, word("listing.field.reason"), hint: word("listing.hint.reason"), rows: 3))
                <p class="choice"><label for="sure"><input id="sure" name="sure" type="checkbox" value="yes"\(points)> \
                \(word("listing.withdraw.sure"))</label>\(wrong)</p>
                """
        }
    }
}
