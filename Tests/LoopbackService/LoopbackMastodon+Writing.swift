internal import ChirpHTTP
internal import FoundationEssentials

extension LoopbackMastodon {
    /// How the instance writes what it holds: JSON, and text as HTML.
    struct Writing {
        /// Where pictures of everybody lie; nil when nobody has one.
        let pictures: String?

        /// As the real one writes links and tags.
        static func html(_ text: String) -> String {
            let words = text.split(separator: "\n").map { line in
                line.split(separator: " ").map { word -> String in
                    let safe = String(word).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                    if word.hasPrefix("http") {
                        let bare = safe.replacing("https://", with: "")
                        return
                            "<a href=\"\(safe)\" target=\"_blank\" rel=\"nofollow noopener\"><span class=\"invisible\">"
                            + "https://</span><span class=\"ellipsis\">\(bare.prefix(10))</span>"
                            + "<span class=\"invisible\">\(bare.dropFirst(10))</span></a>"
                    }
                    guard word.hasPrefix("#") else { return safe }
                    return "<a href=\"https://loopback/tags/\(word.dropFirst().lowercased())\" "
                        + "class=\"mention hashtag\" rel=\"tag\">#<span>\(word.dropFirst())</span></a>"
                }.joined(separator: " ")
            }
            return "<p>" + words.joined(separator: "<br />") + "</p>"
        }

        func account(_ id: String) -> String {
            let handle =
                id == LoopbackMastodon.me ? "ada" : "friend-\(Int(id.suffix(4)).map { $0 - 1000 } ?? 0)"
            let picture = pictures.map { #","avatar":"\#($0)/\#(id).png""# } ?? ""
            return
                #"{"id":"\#(id)","username":"\#(handle)","acct":"\#(handle)","display_name":"The \#(handle)"\#(picture)}"#
        }

        func status(_ status: Status) -> String {
            let isPlain = status.account == LoopbackMastodon.me
            let html = isPlain ? Self.html(status.text) : status.text
            let tags = status.text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "#" })
                .filter { $0.hasPrefix("#") }.map { #"{"name":"\#($0.dropFirst().lowercased())"}"# }
            let parts = [
                #""id":"\#(status.id)""#, #""created_at":"\#(InstantText.format(status.created).dropLast()).000Z""#,
                #""visibility":"\#(status.visibility)""#, #""url":"https://loopback/@ada/\#(status.id)""#,
                #""uri":"https://loopback/\#(status.id)""#, #""spoiler_text":\#(Self.quoted(status.warning))"#,
                #""content":\#(Self.quoted(status.isBoost ? "" : html))"#,
                #""account":\#(account(status.account))"#,
                #""tags":[\#(tags.joined(separator: ","))]"#,
                #""media_attachments":[\#(status.media.map { #"{"id":"\#($0)","type":"audio","url":"https://files.example/\#($0)"}"# }.joined(separator: ","))]"#,
                #""reblog":\#(status.isBoost ? #"{"id":"1"}"# : "null")"#,
            ]
            return "{" + parts.joined(separator: ",") + "}"
        }

        /// A conversation with somebody, and its newest message.
        func conversation(with id: String, last status: String) -> String {
            #"{"id":"\#(id.suffix(4))","unread":true,"accounts":[\#(account(id))],"last_status":\#(status)}"#
        }

        private static func quoted(_ text: String) -> String {
            (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
        }
    }
}
