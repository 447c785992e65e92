internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import HTTPTypes

extension ListingFault {
    /// As people read it, without its full stop.
    var sentence: String {
        switch self {
        case .missing: word("listing.fault.missing")
        case .noWords: word("listing.fault.words")
        case .tooLong(let most): word("listing.fault.long", ["most": "\(most)"])
        case .tooMany(let most): word("listing.fault.many", ["most": "\(most)"])
        case .tooLarge(let most): word("listing.fault.large", ["most": Wording.size(Int64(most))])
        case .unknown: word("listing.fault.unknown")
        case .noTime: word("listing.fault.time")
        case .backwards: word("listing.fault.backwards")
        case .inFuture: word("listing.fault.future")
        case .longAgo: word("listing.fault.past")
        case .noPlace: word("listing.fault.place")
        case .noPoint: word("listing.fault.point")
        case .noPhone: word("listing.fault.phone")
        case .mailAddress: word("listing.fault.mail")
        case .notYours: word("listing.fault.yours")
        case .unusable(let why): why
        case .takenNowhere: word("listing.fault.nowhere")
        }
    }
}

extension ListingRefusal: BoardRefusal {
    /// What is wrong with the fields of a form; empty when it is something else.
    var faults: [ListingField: ListingFault] {
        switch self {
        case .fields(let faults): faults
        case .noPhone: [:]
        case .item(.empty(let field)): [ListingField(rawValue: field) ?? .title: .missing]
        case .item(.tooLong(let field, let most)): [ListingField(rawValue: field) ?? .text: .tooLong(most: most)]
        case .item(.tooMany(let pictures)): [.pictures: .tooMany(most: pictures)]
        case .item(.notYours): [.pictures: .notYours]
        case .item: [:]
        }
    }

    var sentence: String {
        switch self {
        case .fields: word("listing.refused.fields")
        case .noPhone: word("listing.refused.nophone")
        case .item(let refusal): Self.sentence(refusal)
        }
    }

    private static func sentence(_ refusal: ItemRefusal) -> String {
        switch refusal {
        case .noAccount, .posting: word("listing.refused.inactive")
        case .notFound: word("listing.refused.nothing")
        case .state(.settled): word("listing.refused.settled")
        case .state(.withdrawn): word("listing.refused.withdrawn")
        case .state(.expired): word("listing.refused.expired")
        case .state: word("listing.refused.state")
        case .frozen: word("listing.refused.frozen")
        case .changed: word("listing.refused.changed")
        case .tooOften: word("listing.often")
        case .tooMany, .notYours, .empty, .tooLong: word("listing.refused.fields")
        case .library: word("listing.refused.inside")
        @unknown default: word("listing.refused.inside")
        }
    }

    var status: HTTPResponse.Status {
        switch self {
        case .fields: .unprocessableContent
        case .noPhone: .notFound
        case .item(let refusal): refusal.status
        }
    }

    var wait: Int? {
        guard case .item(let refusal) = self else { return nil }
        return refusal.wait
    }

    var wrong: [String: String] {
        var fields: [String: String] = [:]
        for (field, fault) in faults { fields[field.rawValue] = fault.sentence }
        if case .item(.changed(let version)) = self { fields["version"] = "\(version)" }
        return fields
    }
}

extension ItemGone {
    /// What became of it, and when: nothing else is told.
    var sentence: HTML {
        let time = since.map(Wording.time) ?? .nothing
        return switch (state, since) {
        case (.withdrawn, .some): HTML.word("listing.gone.withdrawn", ["time": time])
        case (.expired, .some): HTML.word("listing.gone.expired", ["time": time])
        case (.settled, .some): HTML.word("listing.gone.settled", ["time": time])
        default: "\(word("listing.gone.otherwise"))"
        }
    }
}
