internal import ChirpCore
internal import ChirpHTTP

extension RemoteNote {
    private static let mostNamed = 100
    private static let mostTags = 50
    private static let mostSounds = 16

    /// - Throws: what is no post, or has no id or author; or whose author is of another origin.
    package init(_ document: DocumentValue) throws(DocumentError) {
        let id = try document.neededID("id")
        let types = try document.types()
        guard types.contains(where: Vocabulary.posts.contains) else { throw .malformed("type") }
        let author = try document.neededID("attributedTo")
        guard author.origin == id.origin else { throw .foreign("attributedTo") }
        let tags = (document["tag"]?.items ?? []).prefix(500)
        let mentions = tags.filter { $0["type"]?.text == "Mention" }.compactMap { $0["href"]?.id }
        let warning = document.plainHTML("summary", limit: 500)
        let recipients = Recipients(document, author: author)
        self.init(
            id: id, author: author, inReplyTo: document.id("inReplyTo"), text: Self.text(document),
            warning: warning.isEmpty ? nil : warning, language: Self.language(document),
            published: document.date("published"), updated: document.date("updated"), page: document.page,
            audience: recipients.audience, named: Self.unique(recipients.people + mentions, most: Self.mostNamed),
            hashtags: Self.unique(
                tags.filter { $0["type"]?.text == "Hashtag" }.compactMap(Self.hashtag), most: Self.mostTags),
            sounds: Self.sounds(document, isSound: types.contains("Audio")),
            isSensitive: document["sensitive"]?.bool ?? false)
    }

    /// The title before the content, where both are there, as with articles and videos.
    private static func text(_ document: DocumentValue) -> String {
        let content = document.plainHTML("content", limit: 10_000)
        let title = document.plain("name", limit: 500)
        if content.isEmpty, case .object(let map)? = document["contentMap"] {
            let first = map.min { $0.key < $1.key }?.value.text ?? ""
            return DocumentValue.plain(html: first, limit: 10_000)
        }
        return title.isEmpty ? content : content.isEmpty ? title : "\(title)\n\n\(content)"
    }

    private static func language(_ document: DocumentValue) -> String? {
        guard case .object(let map)? = document["contentMap"], map.count == 1, let tag = map.keys.first,
            (2...35).contains(tag.utf8.count),
            tag.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else { return nil }
        return tag.lowercased()
    }

    private static func hashtag(_ tag: DocumentValue) -> String? {
        let name = tag.plain("name", limit: 101)
        let bare = name.hasPrefix("#") ? String(name.dropFirst()) : name
        return bare.isEmpty || bare.count > 100 || bare.contains(where: \.isWhitespace) ? nil : bare
    }

    /// What is attached and, of a post that is a sound itself, that.
    private static func sounds(_ document: DocumentValue, isSound: Bool) -> [Sound] {
        let attached = (document["attachment"]?.items ?? []).prefix(64)
        return Array(((isSound ? [document] : []) + attached).compactMap(sound).prefix(mostSounds))
    }

    private static func sound(_ value: DocumentValue) -> Sound? {
        // Several forms of the same: the first that is a sound.
        let links = (value["url"] ?? value["href"])?.items.prefix(32) ?? []
        for link in links {
            let type = (link["mediaType"] ?? value["mediaType"])?.text ?? ""
            let plain = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
            guard plain.hasPrefix("audio/"), plain.utf8.count <= 100, let address = link.link else { continue }
            return Sound(
                address: address, mediaType: PlainText(plain).value, name: value.plain("name", limit: 1500))
        }
        return nil
    }

    private static func unique<T: Hashable>(_ values: [T], most: Int) -> [T] {
        var seen: Set<T> = []
        return Array(values.filter { seen.insert($0).inserted }.prefix(most))
    }
}

/// To whom something is addressed (ActivityPub, section 5.6).
private struct Recipients {
    let audience: RemoteNote.Audience
    let people: [ObjectID]

    init(_ document: DocumentValue, author: ObjectID) {
        let to = (document["to"]?.items ?? []).prefix(500).compactMap { $0.text ?? $0["id"]?.text }
        let cc = (document["cc"]?.items ?? []).prefix(500).compactMap { $0.text ?? $0["id"]?.text }
        let named = (to + cc).filter { !Vocabulary.namesOfEverybody.contains($0) }.compactMap(ObjectID.init)
        // The collection is the author's to name; by custom its address ends so.
        let isFollowers = { (id: ObjectID) in
            id.origin == author.origin && (id.address.path.hasSuffix("/followers"))
        }
        audience =
            if to.contains(where: Vocabulary.namesOfEverybody.contains) {
                .everybody
            } else if cc.contains(where: Vocabulary.namesOfEverybody.contains) {
                .unlisted
            } else if named.contains(where: isFollowers) {
                .followers
            } else {
                .direct
            }
        people = named.filter { !isFollowers($0) }
    }
}
