internal import ChirpHTTP

/// A place that holds clips and that the user's configuration names, such as `http://studio.local:4747` or
/// `https://files.example/clips/`: its origin, and what lies below its path.
struct TrustedPlace: Hashable, Sendable {
    let origin: WebOrigin
    /// Ends in a slash.
    private let path: String

    init(_ base: WebAddress) {
        origin = WebOrigin(base)
        path = base.path.hasSuffix("/") ? base.path : base.path + "/"
    }

    /// Whether the address is that of a sound file below the place. A post names it, so nothing else of the place is asked for:
    /// no other page, no query, and no path that leads out of it again.
    func holdsClip(at address: WebAddress) -> Bool {
        WebOrigin(address) == origin && address.path.hasPrefix(path) && address.query == nil
            && !address.hasDotSegments && address.path.lowercased().hasSuffix(".mp3")
    }
}
