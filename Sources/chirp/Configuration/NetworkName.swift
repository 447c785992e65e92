import ArgumentParser

/// The networks that can be chosen. `Wiring` builds them.
enum NetworkName: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument, ConfigValue {
    case hub
    case x
    case mastodon
    case none
}
