import ArgumentParser

/// What one can sign in to. The raw value is the name on the command line and in the credentials.
enum SignInService: String, Sendable, CaseIterable, ExpressibleByArgument, Encodable {
    case drive
    case x
    case mastodon
    case webdav

    var title: String {
        switch self {
        case .drive: "Google Drive"
        case .x: "X"
        case .mastodon: "Mastodon"
        case .webdav: "WebDAV"
        }
    }

    /// What there is not without it (CH-2).
    var whatIsMissing: String {
        switch self {
        case .drive: "--store drive"
        case .x: "posting to X by the API, and listening to accounts there"
        case .mastodon: "--network mastodon, and listening to accounts there"
        case .webdav: "--store webdav"
        }
    }
}
