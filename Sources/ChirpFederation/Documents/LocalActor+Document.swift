internal import ChirpHTTP

extension LocalActor {
    /// With its `@context`.
    package var document: DocumentValue { item.withContext }

    /// Without it, within an activity.
    var item: DocumentValue {
        DocumentValue(members: [
            "id": .text(id.text), "type": .text(kind.rawValue), "preferredUsername": .text(handle),
            "name": .text(name), "summary": .text(PostHTML(summary).text), "url": .text(page.text),
            "inbox": .text(inbox.text), "outbox": .text(outbox.text),
            "followers": followers.map { .text($0.text) }, "following": following.map { .text($0.text) },
            "endpoints": ["sharedInbox": .text(sharedInbox.text)],
            "icon": icon.map {
                ["type": "Image", "mediaType": .text($0.mediaType), "url": .text($0.address.text)]
            },
            "discoverable": .bool(isDiscoverable), "manuallyApprovesFollowers": .bool(approvesFollowers),
            "published": created.map { .text(InstantText.format($0)) },
            "publicKey": [
                "id": .text(keyID.text), "owner": .text(id.text), "publicKeyPem": .text(publicPEM),
            ],
        ])
    }
}
