/// What is wrong with something that was typed or chosen about a report, a case or the hub's entrance.
package enum CaseFault: String, Hashable, Sendable, CaseIterable {
    case decisionWithoutReason, appealWithoutReason, answerWithoutWords, reportWithoutWords
    /// More than ``Verdict/longestText``.
    case tooLong
    /// A suspension outside of ``Verdict/suspensions``.
    case suspensionDays
    /// Another length outside of 1 to 3650 days.
    case days
    case daysAreNoNumber
    /// Only what is appealed against can be upheld.
    case onlyAppeals
    case noDecision, noState, noReason, neitherShownNorHidden
    case role, registration, addressBlock, domain
    /// ``HubLibrary/mostAddressBans`` are there.
    case tooManyBlocks
    /// What a case between two people needs.
    case ownershipWithoutProof
    /// Only an item is frozen or restored.
    case onlyItems
    /// There is no such picture, or it is somebody else's.
    case noPicture
    /// What was sent is none, or one that cannot be read.
    case pictureRefused

    /// A sentence without its full stop, for programs and logs. Pages have their own, in the visitor's language.
    package var sentence: String {
        switch self {
        case .decisionWithoutReason: "A decision needs its reason"
        case .appealWithoutReason: "An appeal needs its reason"
        case .answerWithoutWords: "An answer needs words"
        case .reportWithoutWords: "A report needs a few words"
        case .tooLong: "At most \(Verdict.longestText) characters can be said here"
        case .suspensionDays: "A suspension lasts 1 to 30 days"
        case .days: "A number of days is between 1 and 3650"
        case .daysAreNoNumber: "Days are a number"
        case .onlyAppeals: "Only an appeal can be refused"
        case .noDecision: "Choose what is decided"
        case .noState: "The state that the case had is missing"
        case .noReason: "Choose what is wrong"
        case .neitherShownNorHidden: "A post is shown or hidden"
        case .role: "A role is member or moderator"
        case .registration: "Registration is closed, invite or open"
        case .domain: "A domain looks like example.org"
        case .addressBlock: "A block of addresses looks like 192.0.2.0/24 or 2001:db8::/32"
        case .tooManyBlocks: "At most \(HubLibrary.mostAddressBans) blocks are banned at once"
        case .ownershipWithoutProof: "Say what shows that it is yours"
        case .onlyItems: "Only what a board lists can be frozen or restored"
        case .noPicture: "There is no such picture of yours"
        case .pictureRefused: "This picture cannot be taken"
        }
    }
}
