/// The addresses of the hub's pages and files. The only place that puts them together.
struct HubLinks: Hashable, Sendable {
    /// As ``HubSettings/checked(_:)`` gives it.
    let publicURL: String

    /// The path below which a reverse proxy shows the hub; empty or beginning with a slash.
    var prefix: String {
        guard let scheme = publicURL.firstRange(of: "://"),
            let slash = publicURL[scheme.upperBound...].firstIndex(of: "/")
        else { return "" }
        return String(publicURL[slash...])
    }

    /// Host and port as browsers send them in `Host`.
    var authority: String {
        guard let scheme = publicURL.firstRange(of: "://") else { return publicURL }
        return String(publicURL[scheme.upperBound...].prefix { $0 != "/" })
    }

    var home: String { "\(publicURL)/" }
    var feed: String { "\(publicURL)/feed.json" }
    func page(_ id: String) -> String { "\(publicURL)/c/\(id)" }
    func audio(_ id: String) -> String { "\(publicURL)/media/\(id).mp3" }
    func embed(_ id: String) -> String { "\(publicURL)/embed/\(id)" }
}
