internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb

// What kinds, states and verdicts are called on pages, in the visitor's language. Letters, programs and logs have sentences of their own.

extension CaseError {
    /// A sentence for a page, without its full stop.
    var words: String {
        switch self {
        case .notFound: word("moderation.error.not-found")
        case .own: word("moderation.error.own")
        case .already: word("moderation.error.already")
        case .tooOften(let seconds): word("moderation.error.too-often", count: seconds)
        case .notActive: word("moderation.error.not-active")
        case .rightLost: word("moderation.error.right-lost")
        case .notAllowed: word("moderation.error.not-allowed")
        case .involved: word("moderation.error.involved")
        case .changedMeanwhile: word("moderation.error.changed")
        case .refused(_, let fault): fault.words
        // What the disk has to say is for the log.
        case .library: word("moderation.error.library")
        }
    }
}

extension CaseFault {
    /// A sentence for a page, without its full stop.
    var words: String {
        switch self {
        case .decisionWithoutReason: word("moderation.fault.decision-reason")
        case .appealWithoutReason: word("moderation.fault.appeal-reason")
        case .answerWithoutWords: word("moderation.fault.answer")
        case .reportWithoutWords: word("moderation.fault.report")
        case .tooLong: word("moderation.fault.too-long", ["most": "\(Verdict.longestText)"])
        case .suspensionDays: word("moderation.fault.suspension")
        case .days: word("moderation.fault.days")
        case .daysAreNoNumber: word("moderation.fault.no-number")
        case .onlyAppeals: word("moderation.fault.only-appeals")
        case .noDecision: word("moderation.fault.no-decision")
        case .noState: word("moderation.fault.no-state")
        case .noReason: word("moderation.fault.no-reason")
        case .neitherShownNorHidden: word("moderation.fault.shown-or-hidden")
        case .role: word("moderation.fault.role")
        case .registration: word("moderation.fault.registration")
        case .addressBlock: word("moderation.fault.block")
        case .domain: word("moderation.fault.domain")
        case .tooManyBlocks: word("moderation.fault.blocks", ["most": "\(HubLibrary.mostAddressBans)"])
        case .ownershipWithoutProof: word("moderation.fault.ownership")
        case .onlyItems: word("moderation.fault.only-items")
        case .noPicture: word("moderation.fault.no-picture")
        case .pictureRefused: word("moderation.fault.picture")
        }
    }
}

extension ReportReason {
    /// As people choose it.
    var words: String {
        switch self {
        case .spam: word("report.reason.spam")
        case .abuse: word("report.reason.abuse")
        case .danger: word("report.reason.danger")
        case .legal: word("report.reason.legal")
        case .violation: word("report.reason.violation")
        case .other: word("report.reason.other")
        case .ownership: word("report.reason.ownership")
        }
    }
}

extension Verdict.Step {
    /// As people choose and read it.
    var words: String {
        switch self {
        case .show: word("moderation.step.show")
        case .uphold: word("moderation.step.uphold")
        case .restore: word("moderation.step.restore")
        case .hide: word("moderation.step.hide")
        case .freeze: word("moderation.step.freeze")
        case .notice: word("moderation.step.notice")
        case .warning: word("moderation.step.warning")
        case .limit: word("moderation.step.limit")
        case .suspension: word("moderation.step.suspension")
        case .closing: word("moderation.step.closing")
        case .ban: word("moderation.step.ban")
        }
    }
}

extension Decision {
    /// What was decided.
    var words: String { Self.words(what) }

    /// The reason as somebody has typed it; of roles and of the entrance the log has names.
    var reason: String { Self.reason(why, of: what) }

    static func words(_ what: String) -> String {
        if let step = Verdict.Step(rawValue: what) { return step.words }
        return switch what {
        case "role": word("moderation.log.role")
        case "registration": word("moderation.log.registration")
        case "address": word("moderation.log.address")
        case "address-free": word("moderation.log.address-free")
        case "domain-blocked": word("moderation.log.domain-blocked")
        case "domain-allowed": word("moderation.log.domain-allowed")
        case "domain-free": word("moderation.log.domain-free")
        case "allow-list": word("moderation.log.allow-list")
        default: what
        }
    }

    static func reason(_ why: String, of what: String) -> String {
        switch what {
        case "role":
            why.split(separator: " -> ").map { HubAccount.Role(rawValue: String($0))?.words ?? String($0) }
                .joined(separator: " -> ")
        case "registration": Registration(rawValue: why)?.inLog ?? why
        case "allow-list": why == "on" ? word("moderation.on") : word("moderation.off")
        default: why
        }
    }
}

extension HubAccount.Role {
    /// What somebody is here.
    var words: String {
        switch self {
        case .member: word("moderation.role.member")
        case .moderator: word("moderation.role.moderator")
        case .owner: word("moderation.role.owner")
        }
    }
}

extension Registration {
    /// Who may sign up.
    var words: String {
        switch self {
        case .closed: word("moderation.registration.closed")
        case .invite: word("moderation.registration.invite")
        case .open: word("moderation.registration.open")
        }
    }

    /// What the entrance was set to.
    fileprivate var inLog: String {
        switch self {
        case .closed: word("moderation.log.closed")
        case .invite: word("moderation.log.invite")
        case .open: word("moderation.log.open")
        }
    }
}

extension ModeratedPerson {
    /// How the account is; a name of a later release is shown as it is.
    var stateWords: String {
        switch state {
        case "active": word("moderation.account.active")
        case "suspended": word("moderation.account.suspended")
        case "unconfirmed": word("moderation.account.unconfirmed")
        case "closed": word("moderation.account.closed")
        default: state
        }
    }
}

extension ModerationCase {
    /// What those who have reported it say is wrong, each once: "Abuse or hatred, Something else".
    var reasonWords: String { Set(reports.map(\.reason.words)).sorted().joined(separator: ", ") }
}
