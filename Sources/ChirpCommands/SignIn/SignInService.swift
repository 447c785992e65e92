internal import ArgumentParser

/// What one can sign in to. The raw value is the name on the command line and in the credentials.
package enum SignInService: String, Sendable, CaseIterable, ExpressibleByArgument, Encodable {
    case drive
    case x
    case mastodon
    case webdav
    case hub

    package var title: String {
        switch self {
        case .drive: "Google Drive"
        case .x: "X"
        case .mastodon: "Mastodon"
        case .webdav: "WebDAV"
        case .hub: "the hub"
        }
    }

    /// Whether there are many of it, and one names the one to sign in to.
    package var hasHosts: Bool { self == .mastodon || self == .hub }

    /// Whether a plain `chirp login` asks for it. The others begin with something that is typed.
    package var isWalkedThrough: Bool { self != .webdav && self != .hub }

    /// What there is not without it (CH-2).
    package var whatIsMissing: String {
        switch self {
        case .drive: "--store drive"
        case .x: "posting to X by the API, and listening to accounts there"
        case .mastodon: "--network mastodon, and listening to accounts there"
        case .webdav: "--store webdav"
        case .hub: "publishing to that hub, and listening to accounts there"
        }
    }
}
