internal import ArgumentParser

/// The stores that can be chosen. `Wiring` builds them.
package enum StoreName: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument, ConfigValue {
    case hub
    case folder
    case drive
    case webdav
    case s3
}

/// The stores that backups of the hub, and the sound of its older clips, can be kept in: private ones that say what they hold. `Wiring`
/// builds them.
package enum PrivateStoreName: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument, ConfigValue {
    case folder
    case webdav
    case s3
}

/// The networks that can be chosen. `Wiring` builds them.
package enum NetworkName: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument, ConfigValue {
    case hub
    case x
    case mastodon
    case none
}

/// Where the bucket stands in addresses of an S3 service: in their path or in front of their host.
package enum S3Addressing: String, Hashable, Sendable, CaseIterable, ConfigValue {
    case path
    case host
}
