import ArgumentParser

/// The stores that can be chosen. `Wiring` builds them.
enum StoreName: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument, ConfigValue {
    case hub
    case folder
    case drive
    case webdav
}

/// The networks that can be chosen. `Wiring` builds them.
enum NetworkName: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument, ConfigValue {
    case hub
    case x
    case mastodon
    case none
}
