/// One thing that the doctor has looked at.
struct Finding: Encodable, Sendable {
    enum Level: String, Encodable, Sendable {
        case ok
        /// Worth knowing; nothing has to be done.
        case note
        /// Something does not work, or soon will not.
        case problem
    }

    /// A stable name for scripts, such as `journal`.
    let check: String
    let level: Level
    let text: String
    /// What to do about it; nil when there is nothing to do.
    let cure: String?

    static func ok(_ check: String, _ text: String) -> Finding {
        Finding(check: check, level: .ok, text: text, cure: nil)
    }

    static func note(_ check: String, _ text: String, cure: String? = nil) -> Finding {
        Finding(check: check, level: .note, text: text, cure: cure)
    }

    static func problem(_ check: String, _ text: String, cure: String) -> Finding {
        Finding(check: check, level: .problem, text: text, cure: cure)
    }
}
