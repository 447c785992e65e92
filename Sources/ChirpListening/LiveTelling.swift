internal import ChirpCommunity
internal import ChirpFlows
internal import ChirpJournal
internal import ChirpWeb
internal import FoundationEssentials
internal import NIOCore

/// What is told of a post to all who listen to it: encoded once, and the same bytes for everybody.
struct LiveTail: Sendable {
    /// The fields of a play that belong to the post, with the end of the object.
    let bytes: ByteBuffer
    let expires: Date?

    init(_ post: HubPost, _ clip: HubClip) {
        bytes = Self.encode { json in
            json.field("post", post.id)
            json.field("clip", clip.id.text)
            json.field("page", "/c/\(clip.id)")
            json.field("url", "/media/\(clip.id).mp3")
            json.field("seconds", seconds: clip.sound?.seconds ?? 0)
            json.field("peaks", Data(clip.sound?.peaks ?? []).base64EncodedString())
            json.field("speaker") { json in
                json.object { json in
                    json.field("handle", post.author.handle)
                    json.field("name", post.author.name)
                }
            }
            json.field("text", post.text)
            json.field("spoiler", post.spoiler)
            json.field("language", post.language ?? "")
            json.field("transcript", "")
        }
        expires = clip.expires
    }

    private init(bytes: ByteBuffer) { (self.bytes, expires) = (bytes, nil) }

    /// Of a post that is not there any more, or not for this listener: the same fields without anything in them.
    static let gone = LiveTail(
        bytes: encode { json in
            for name: StaticString in ["post", "clip", "page", "url"] { json.field(name, "") }
            json.field("seconds", seconds: 0)
            json.field("peaks", "")
            json.field("speaker") { json in
                json.object { json in
                    json.field("handle", "")
                    json.field("name", "")
                }
            }
            for name: StaticString in ["text", "spoiler", "language", "transcript"] { json.field(name, "") }
        })

    private static func encode(_ fields: (inout JSONText) -> Void) -> ByteBuffer {
        var json = JSONText()
        json.object(fields)
        var bytes = ByteBuffer()
        bytes.writeString(",")
        bytes.writeBytes(json.bytes.dropFirst())
        return bytes
    }
}

/// The bytes of a session, a play and a turn.
enum LiveTelling {
    /// What goes before the tail.
    static func head(_ play: ListeningPlay, keptUntil: Date, isGone: Bool, why: String) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.field("id", Int(play.id))
            json.field("arrived", play.arrived)
            json.field("state", isGone ? "gone" : play.state.rawValue)
            json.field("why", why)
            json.field("keptUntil", keptUntil)
        }
        return json.bytes.dropLast()
    }

    /// The name of an event, and what stands before its data.
    static func begin(_ name: String, id: Int64) -> ByteBuffer {
        ByteBuffer(string: "id: \(id)\nevent: \(name)\ndata: ")
    }

    static let end = ByteBuffer(string: "\n\n")

    static func turn(_ turn: RunningSession.Turn?) -> [UInt8] {
        guard let turn else { return Array("null".utf8) }
        var json = JSONText()
        json.object { json in
            json.field("turn", Int(turn.number))
            json.field("play", Int(turn.turn.play.rawValue))
            json.field("replay", turn.turn.isReplay)
            json.field("position", seconds: turn.position)
        }
        return json.bytes
    }
}
