internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
package import HTTPTypes

extension TrackFault {
    /// As people read it, without its full stop.
    var sentence: String {
        switch self {
        case .missing: word("beat.fault.missing")
        case .unknown: word("beat.fault.unknown")
        case .tooLong(let most): word("beat.fault.long", ["most": "\(most)"])
        case .tooMany(let most): word("beat.fault.many", ["most": "\(most)"])
        case .past: word("beat.fault.past")
        case .noTime: word("beat.fault.time")
        case .noAmount: word("beat.fault.amount")
        case .notYours: word("beat.fault.yours")
        case .tooLarge(let most): word("beat.fault.large", ["most": Wording.size(most)])
        case .unusable(let why): why
        case .takenNowhere: word("beat.fault.nowhere")
        case .used: word("beat.fault.used")
        case .settled: word("beat.fault.settled")
        }
    }
}

extension TrackField {
    /// What it is called where it is told what is wrong with it.
    var label: String {
        switch self {
        case .kind: word("beat.field.kind")
        case .track: word("beat.field.track")
        case .title: word("beat.field.title")
        case .versionOf: word("beat.field.versionof")
        case .versionName: word("beat.field.version")
        case .text: word("beat.field.text")
        case .tags: word("beat.field.tags")
        case .price: word("beat.field.price")
        case .amount: word("beat.field.amount")
        case .currency: word("beat.field.currency")
        case .cover: word("beat.field.cover")
        case .until: word("beat.field.until")
        case .reason: word("beat.field.reason")
        case .sure: word("beat.field.sure")
        }
    }
}

extension TrackRefusal: BoardRefusal {
    /// What is wrong with the fields of a form; empty when it is something else.
    var faults: [TrackField: TrackFault] {
        switch self {
        case .fields(let faults): faults
        case .item(.empty(let field)): [TrackField(rawValue: field) ?? .title: .missing]
        case .item(.tooLong(let field, let most)): [TrackField(rawValue: field) ?? .text: .tooLong(most: most)]
        case .item(.tooMany(let pictures)): [.cover: .tooMany(most: pictures)]
        case .item(.notYours): [.cover: .notYours]
        case .item, .role, .notReady, .held: [:]
        }
    }

    package var sentence: String {
        switch self {
        case .fields: word("beat.refused.fields")
        case .role(.beat): word("beat.refused.producer")
        case .role(.open): word("beat.refused.artist")
        case .notReady: word("beat.refused.notready")
        case .held(let why): why
        case .item(let refusal): Self.sentence(refusal)
        }
    }

    private static func sentence(_ refusal: ItemRefusal) -> String {
        switch refusal {
        case .noAccount, .posting: word("beat.refused.inactive")
        case .notFound: word("beat.refused.nothing")
        case .state: word("beat.refused.ended")
        case .frozen: word("beat.refused.frozen")
        case .changed: word("beat.refused.changed")
        case .tooOften: word("beat.often")
        case .tooMany, .notYours, .empty, .tooLong: word("beat.refused.fields")
        case .library: word("beat.refused.inside")
        @unknown default: word("beat.refused.inside")
        }
    }

    package var status: HTTPResponse.Status {
        switch self {
        case .fields: .unprocessableContent
        case .role: .forbidden
        case .notReady, .held: .conflict
        case .item(let refusal): refusal.status
        }
    }

    package var wait: Int? {
        guard case .item(let refusal) = self else { return nil }
        return refusal.wait
    }

    package var wrong: [String: String] {
        var fields: [String: String] = [:]
        for (field, fault) in faults { fields[field.rawValue] = fault.sentence }
        if case .item(.changed(let version)) = self { fields["version"] = "\(version)" }
        return fields
    }
}
