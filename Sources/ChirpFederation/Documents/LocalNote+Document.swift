internal import ChirpCore
internal import ChirpHTTP

extension LocalNote {
    /// With its `@context`.
    package var document: DocumentValue { item.withContext }

    /// Without it, within an activity or a collection.
    package var item: DocumentValue {
        let html = PostHTML(text, links: links).text
        return DocumentValue(members: [
            "id": .text(id.text), "type": "Note", "attributedTo": .text(author.text), "to": to, "cc": cc,
            "published": .text(InstantText.format(published)),
            "updated": updated.map { .text(InstantText.format($0)) }, "url": .text(page.text),
            "content": .text(html), "contentMap": language.map { .object([$0: .text(html)]) },
            "summary": warning.map { .text(PostHTML.escaped($0)) }, "sensitive": .bool(warning != nil),
            "inReplyTo": inReplyTo.map { .text($0.text) }, "attachment": .list(sounds.map(\.item)),
            "tag": .list(hashtags.map(tag) + mentions.map(\.item)),
        ])
    }

    private var named: [DocumentValue] { mentions.map { .text($0.id.text) } }

    var to: DocumentValue {
        audience == .everybody ? [.text(Vocabulary.everybody)] : [.text(followers.text)]
    }

    var cc: DocumentValue {
        .list([.text(audience == .everybody ? followers.text : Vocabulary.everybody)] + named)
    }

    private func tag(_ name: String) -> DocumentValue {
        ["type": "Hashtag", "href": .text(tagPage.appending(name).text), "name": .text("#\(name)")]
    }

    private var links: [String: String] {
        var links: [String: String] = [:]
        for name in hashtags {
            let address = PostHTML.escaped(tagPage.appending(name).text)
            links["#\(name)".lowercased()] =
                "<a href=\"\(address)\" class=\"mention hashtag\" rel=\"tag\">#<span>\(PostHTML.escaped(name))</span></a>"
        }
        for mention in mentions {
            let address = PostHTML.escaped(mention.id.text)
            links[mention.name.lowercased()] =
                "<span class=\"h-card\"><a href=\"\(address)\" class=\"u-url mention\">\(PostHTML.escaped(mention.name))</a></span>"
        }
        return links
    }
}

extension LocalNote.Sound {
    fileprivate var item: DocumentValue {
        DocumentValue(members: [
            "type": "Document", "mediaType": .text(mediaType), "url": .text(address.text), "name": .text(name),
            "summary": summary.map { .text($0) },
        ])
    }
}

extension LocalNote.Mention {
    fileprivate var item: DocumentValue { ["type": "Mention", "href": .text(id.text), "name": .text(name)] }
}
