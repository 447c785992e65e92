internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
package import HTTPTypes

extension ScoreFault {
    /// As people read it, without its full stop.
    func sentence(_ terms: RuleTerms) -> String {
        switch self {
        case .missing: word("challenge.fault.missing")
        case .notUnderstood: word("challenge.score.unclear")
        case .otherUnit: word("challenge.score.unit", ["unit": terms.unit.name])
        case .tooExact(let decimals): word("challenge.score.exact", count: decimals)
        case .offStep(let step): word("challenge.score.step", ["step": terms.said(step)])
        case .below(let low): word("challenge.score.low", ["low": terms.said(low)])
        case .above(let high): word("challenge.score.high", ["high": terms.said(high)])
        }
    }
}

extension ChallengeFault {
    /// As people read it, without its full stop.
    var sentence: String {
        switch self {
        case .missing: word("challenge.fault.missing")
        case .tooLong(let most): word("challenge.fault.long", ["most": "\(most)"])
        case .tooMany(let most): word("challenge.fault.many", ["most": "\(most)"])
        case .unknown: word("challenge.fault.unknown")
        case .outside(let low, let high): word("challenge.fault.outside", ["low": "\(low)", "high": "\(high)"])
        case .backwards: word("challenge.fault.backwards")
        case .belowZero: word("challenge.fault.zero")
        case .past: word("challenge.fault.past")
        case .tooShort(let least): word("challenge.fault.short", ["least": Wording.clock(Double(least))])
        case .tooLongTime(let most): word("challenge.fault.longtime", count: most / 86_400)
        case .notExact: word("challenge.fault.exact")
        case .attempted: word("challenge.fault.attempted")
        case .noNumber: word("challenge.fault.number")
        case .noTime: word("challenge.fault.time")
        case .noPlace: word("challenge.fault.place")
        case .noPoint: word("challenge.fault.point")
        case .notYours: word("challenge.fault.yours")
        case .tooLarge(let most): word("challenge.fault.large", ["most": Wording.size(Int64(most))])
        case .unusable(let why): why
        case .takenNowhere: word("challenge.fault.nowhere")
        case .noSuch: word("challenge.fault.nosuch")
        }
    }
}

extension ChallengeField {
    /// What it is called where it is told what is wrong with it.
    var label: String {
        switch self {
        case .title: word("challenge.field.title")
        case .text: word("challenge.field.text")
        case .category: word("challenge.field.category")
        case .language: word("challenge.field.language")
        case .pictures: word("challenge.field.pictures")
        case .clip: word("challenge.field.clip")
        case .place: word("challenge.field.place")
        case .at: word("challenge.field.at")
        case .precision: word("challenge.field.precision")
        case .measure: word("challenge.field.measure")
        case .unit: word("challenge.field.unit")
        case .better: word("challenge.field.better")
        case .decimals: word("challenge.field.decimals")
        case .step: word("challenge.field.step")
        case .low: word("challenge.field.low")
        case .high: word("challenge.field.high")
        case .needs: word("challenge.field.needs")
        case .invalid: word("challenge.field.invalid")
        case .begins: word("challenge.field.begins")
        case .ends: word("challenge.field.ends")
        case .grace: word("challenge.field.grace")
        case .where: word("challenge.field.where")
        case .reason: word("challenge.field.reason")
        case .sure: word("challenge.field.sure")
        case .into: word("challenge.field.into")
        }
    }
}

extension ChallengeRefusal: BoardRefusal {
    /// What is wrong with the fields of a form; empty when it is something else.
    var faults: [ChallengeField: ChallengeFault] {
        switch self {
        case .fields(let faults): faults
        case .item(.empty(let field)): [ChallengeField(rawValue: field) ?? .title: .missing]
        case .item(.tooLong(let field, let most)): [ChallengeField(rawValue: field) ?? .text: .tooLong(most: most)]
        case .item(.tooMany(let pictures)): [.pictures: .tooMany(most: pictures)]
        case .item(.notYours): [.pictures: .notYours]
        case .item, .attempted, .changed, .notAllowed: [:]
        }
    }

    package var sentence: String {
        switch self {
        case .fields: word("challenge.refused.fields")
        case .attempted: word("challenge.refused.attempted")
        case .changed: word("challenge.refused.rule")
        case .notAllowed: word("challenge.refused.notallowed")
        case .item(let refusal): Self.sentence(refusal)
        }
    }

    private static func sentence(_ refusal: ItemRefusal) -> String {
        switch refusal {
        case .noAccount, .posting: word("challenge.refused.inactive")
        case .notFound: word("challenge.refused.nothing")
        case .state: word("challenge.refused.ended")
        case .frozen: word("challenge.refused.frozen")
        case .changed: word("challenge.refused.changed")
        case .tooOften: word("challenge.often")
        case .tooMany, .notYours, .empty, .tooLong: word("challenge.refused.fields")
        case .library: word("challenge.refused.inside")
        @unknown default: word("challenge.refused.inside")
        }
    }

    package var status: HTTPResponse.Status {
        switch self {
        case .fields: .unprocessableContent
        case .attempted, .changed: .conflict
        case .notAllowed: .forbidden
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
        switch self {
        case .item(.changed(let version)): fields["version"] = "\(version)"
        case .changed(let version): fields["rule"] = "\(version)"
        default: break
        }
        return fields
    }
}
