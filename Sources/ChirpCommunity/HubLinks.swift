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
    /// The oEmbed description of a clip (oembed.com); the address of the page is plain ASCII without `&`.
    func oEmbed(_ id: String) -> String {
        let page = page(id).map { "/:".contains($0) ? ($0 == "/" ? "%2F" : "%3A") : String($0) }.joined()
        return "\(publicURL)/oembed?format=json&url=\(page)"
    }
    func embed(_ id: String) -> String { "\(publicURL)/embed/\(id)" }
}
