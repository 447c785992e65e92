internal import FoundationEssentials

extension DocumentValue {
    /// JSON with its members in order of their names: the same bytes each time.
    package var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only a number that is not finite cannot be written, and none of ours is such.
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }

    /// An object of those members that are there.
    init(members: KeyValuePairs<String, DocumentValue?>) {
        var object: [String: DocumentValue] = [:]
        for (name, value) in members { object[name] = value }
        self = .object(object)
    }

    /// With another member.
    func adding(_ name: String, _ value: DocumentValue) -> DocumentValue {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }

    /// With what the names in our documents mean.
    var withContext: DocumentValue {
        adding(
            "@context",
            [
                .text(Vocabulary.activityStreams), "https://w3id.org/security/v1",
                [
                    "Hashtag": "as:Hashtag", "discoverable": "toot:discoverable",
                    "manuallyApprovesFollowers": "as:manuallyApprovesFollowers", "sensitive": "as:sensitive",
                    "toot": "http://joinmastodon.org/ns#",
                ],
            ])
    }
}

extension DocumentValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let items): try container.encode(items)
        case .object(let members): try container.encode(members)
        }
    }
}

/// Names of ActivityStreams 2.0.
enum Vocabulary {
    static let activityStreams = "https://www.w3.org/ns/activitystreams"
    /// Everybody (ActivityPub, section 5.6).
    static let everybody = "https://www.w3.org/ns/activitystreams#Public"
    /// The same in the short forms that JSON-LD allows.
    static let namesOfEverybody: Set<String> = [everybody, "as:Public", "Public"]
    /// What is read as a post.
    static let posts: Set<String> = ["Note", "Article", "Question", "Page", "Audio", "Video", "Image", "Event"]
}
