import ArgumentParser

/// When words for people are coloured. `auto`: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
enum ColorUse: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument, ConfigValue {
    case auto
    case always
    case never

    /// - Parameter environment: `NO_COLOR` counts when it is not empty (no-color.org).
    func applies(_ environment: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: environment["NO_COLOR"]?.isEmpty != false && Terminal.canDraw(environment)
        }
    }
}
