internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
package import HTTPTypes

extension OfferField {
    var label: String {
        switch self {
        case .name: word("beat.offer.name")
        case .template: word("beat.offer.template")
        case .text: word("beat.offer.text")
        case .price: word("beat.field.price")
        case .amount: word("beat.field.amount")
        case .currency: word("beat.field.currency")
        case .files: word("beat.offer.files")
        case .copies: word("beat.offer.copies")
        case .streams: word("beat.offer.streams")
        case .years: word("beat.offer.years")
        case .credit: word("beat.offer.credit")
        case .profit: word("beat.offer.profit")
        case .exclusive: word("beat.offer.exclusive")
        }
    }
}

extension OfferFault {
    var sentence: String {
        switch self {
        case .missing: word("beat.fault.missing")
        case .unknown: word("beat.fault.unknown")
        case .tooLong(let most): word("beat.fault.long", ["most": "\(most)"])
        case .outOfRange(let least, let most):
            word("beat.offer.range", ["least": "\(least)", "most": LicenceLanguage.here.number(most)])
        case .noAmount: word("beat.fault.amount")
        case .noFile(let file): word("beat.offer.nofile", ["file": file.name])
        }
    }
}

extension LicenceTerms.File {
    var name: String { self == .stems ? word("beat.offer.stems") : rawValue.uppercased() }
}

extension OfferRefusal: BoardRefusal {
    /// What is wrong with the fields of a form; empty when it is something else.
    var faults: [OfferField: OfferFault] {
        if case .fields(let faults) = self { faults } else { [:] }
    }

    package var sentence: String {
        switch self {
        case .fields: word("beat.refused.fields")
        case .notFound: word("beat.refused.nothing")
        case .tooMany(let most): word("beat.offer.toomany", ["most": "\(most)"])
        case .sold: word("beat.offer.sold")
        case .bidding: word("beat.offer.bidding")
        case .secondExclusive: word("beat.offer.second")
        case .notActive: word("beat.refused.inactive")
        case .library: word("beat.refused.inside")
        }
    }

    package var status: HTTPResponse.Status {
        switch self {
        case .fields: .unprocessableContent
        case .notFound: .notFound
        case .tooMany, .sold, .bidding, .secondExclusive: .conflict
        case .notActive: .forbidden
        case .library(let error): error.status
        }
    }

    package var wrong: [String: String] {
        Dictionary(faults.map { ($0.key.rawValue, $0.value.sentence) }) { first, _ in first }
    }
}

extension LicenceRefusal: BoardRefusal {
    package var sentence: String {
        switch self {
        case .fields: word("beat.refused.fields")
        case .noAccount: word("beat.refused.inactive")
        case .noSuchText: word("beat.refused.nothing")
        case .changed: word("beat.refused.changed")
        case .tooMany(let most): word("beat.offer.toomany", ["most": "\(most)"])
        case .library: word("beat.refused.inside")
        }
    }

    package var status: HTTPResponse.Status {
        switch self {
        case .fields: .unprocessableContent
        case .noAccount: .forbidden
        case .noSuchText: .notFound
        case .changed, .tooMany: .conflict
        case .library(let error): error.status
        }
    }

    package var wrong: [String: String] {
        guard case .fields(let faults) = self else { return [:] }
        return Dictionary(faults.map { ($0.key.rawValue, $0.value.sentence) }) { first, _ in first }
    }
}

extension LicenceFault {
    var sentence: String {
        switch self {
        case .missing: word("beat.fault.missing")
        case .unknown: word("beat.fault.unknown")
        case .outOfRange(let least, let most):
            word("beat.offer.range", ["least": "\(least)", "most": LicenceLanguage.here.number(most)])
        case .tooMany(let most): word("beat.offer.toomany", ["most": "\(most)"])
        case .tooLong(let most): word("beat.fault.long", ["most": "\(most)"])
        case .text(.unknownVariable(let name, let line)):
            word("beat.text.variable", ["name": name, "line": "\(line)"])
        case .text(.brace(let line)): word("beat.text.brace", ["line": "\(line)"])
        case .text(.missing(let variable)): word("beat.text.missing", ["name": variable.rawValue])
        case .text: word("beat.fault.unknown")
        }
    }
}
