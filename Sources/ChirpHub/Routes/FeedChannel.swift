internal import ChirpCommunity

/// Whose posts a feed has, what it is called and where it lies: the same in every format.
struct FeedChannel {
    let title: String
    let about: String
    let author: String
    /// The page with the same posts.
    let page: String
    let rss: String
    let json: String
    /// The WebSub hub that is told when it changes; nil: none.
    let hub: String?

    /// What one member reads.
    ///
    /// - Parameter address: of the feed, which is secret.
    init(homeOf handle: String, at address: String, links: HubLinks) {
        title = "Chirp: what @\(handle) reads"
        about = "Clips for @\(handle) on \(links.authority)"
        author = links.authority
        (page, rss, json) = (links.home, address, links.feed)
        // A hub asks for the feeds that it is told of, and keeps what it gets.
        hub = nil
    }

    /// - Parameters:
    ///   - person: nil means everybody.
    ///   - hub: the address of the WebSub hub that is told when it changes.
    init(of person: PostAuthor?, links: HubLinks, hub: String? = nil) {
        self.hub = hub
        if let person {
            title = "\(person.name) (@\(person.handle))"
            about = "Clips by \(title) on \(links.authority)"
            author = person.name
            (page, rss, json) = (links.person(person), links.rss(of: person), links.feed(of: person))
        } else {
            title = "Chirp"
            about = "The latest clips on \(links.authority)"
            author = links.authority
            (page, rss, json) = (links.home, links.rss, links.feed)
        }
    }
}
