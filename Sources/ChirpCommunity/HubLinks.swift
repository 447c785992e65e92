/// The addresses of the hub's pages and files. The only place that puts them together.
package struct HubLinks: Hashable, Sendable {
    /// As ``HubAddress/checked(_:)`` gives it.
    package let publicURL: String

    /// The path below which a reverse proxy shows the hub; empty or beginning with a slash.
    package let prefix: String

    package init(publicURL: String) {
        self.publicURL = publicURL
        // Once: each link of a page asks for it.
        guard let scheme = publicURL.firstRange(of: "://"),
            let slash = publicURL[scheme.upperBound...].firstIndex(of: "/")
        else {
            prefix = ""
            return
        }
        prefix = String(publicURL[slash...])
    }

    /// Host and port as browsers send them in `Host`.
    package var authority: String {
        guard let scheme = publicURL.firstRange(of: "://") else { return publicURL }
        return String(publicURL[scheme.upperBound...].prefix { $0 != "/" })
    }

    /// Scheme, host and port, as browsers send them in `Origin`.
    package var origin: String { String(publicURL.dropLast(prefix.count)) }
    /// The list of posts.
    package var home: String { "\(publicURL)/" }
    /// The list as JSON Feed.
    package var feed: String { "\(publicURL)/feed.json" }
    /// The list as RSS.
    package var rss: String { "\(publicURL)/feed.xml" }
    /// The page of an account.
    package func person(_ person: PostAuthor) -> String { "\(publicURL)/@\(person.handle)" }
    /// An account's posts as JSON Feed.
    package func feed(of person: PostAuthor) -> String { "\(self.person(person))/feed.json" }
    /// An account's posts as RSS.
    package func rss(of person: PostAuthor) -> String { "\(self.person(person))/feed.xml" }
    /// A clip's page.
    package func page(_ id: HubID) -> String { "\(publicURL)/c/\(id)" }
    /// A clip's file.
    package func audio(_ id: HubID) -> String { "\(publicURL)/media/\(id).mp3" }
    /// The oEmbed description of a clip (oembed.com); the address of the page is plain ASCII without `&`.
    package func oEmbed(_ id: HubID) -> String {
        let page = page(id).map { "/:".contains($0) ? ($0 == "/" ? "%2F" : "%3A") : String($0) }.joined()
        return "\(publicURL)/oembed?format=json&url=\(page)"
    }
    /// The picture that other sites show beside a clip's link.
    package func card(_ id: HubID) -> String { "\(publicURL)/card/\(id).png" }
    /// A file of a picture.
    package func picture(_ id: HubID, _ size: HubPicture.Size) -> String { picture(id, size, below: publicURL) }
    /// - Parameter base: what comes before the path.
    package func picture(_ id: HubID, _ size: HubPicture.Size, below base: String) -> String {
        "\(base)/pictures/\(PictureFolder.name(id, size))"
    }
    /// A file of a film that is shown.
    package func film(_ id: HubID, _ file: HubFilm.File) -> String { film(id, file, below: publicURL) }
    /// - Parameter base: what comes before the path.
    package func film(_ id: HubID, _ file: HubFilm.File, below base: String) -> String {
        "\(base)/films/\(FilmFolder.name(id, file))"
    }
    /// A film without the timer that others see, for those who judge what it shows.
    package func judgedFilm(_ id: HubID, below base: String) -> String { "\(base)/films/\(id)/judged" }
    /// A clip's player for other sites.
    package func embed(_ id: HubID) -> String { "\(publicURL)/embed/\(id)" }
}
