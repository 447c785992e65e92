internal import ChirpHTTP

/// Decides whether a post announces a clip, and where the clip is (CH-9). Pure.
///
/// It does when all three hold: a chosen account wrote it, it has the hashtag as a whole tag in any case, and it has a link to
/// a clip. A post that only talks about the tag does not.
public struct ClipLinks: Sendable {
    public enum Verdict: Hashable, Sendable {
        /// The clips, in the order of the post, each once; at most ``ClipLinks/maximum``.
        case clips([ClipAddress])
        case notChosen
        case noTag
        case noClip
    }

    /// More links in one post are not looked at.
    public static let maximum = 4

    private let tag: String
    private let bases: [WebAddress]

    /// - Parameters:
    ///   - tag: without `#`.
    ///   - hubs: the public addresses of hubs and of other places that hold clips, such as `https://hub.example`.
    ///     Unreadable ones are ignored.
    public init(tag: String = "Chirp", hubs: [String]) {
        self.tag = tag.lowercased()
        bases = hubs.compactMap(WebAddress.init)
    }

    public func verdict(on post: Post, chosen: Set<Account.ID>) -> Verdict {
        guard chosen.contains(post.author.id) else { return .notChosen }
        guard post.tags.contains(where: { $0.lowercased() == tag }) || Self.text(post.text, hasTag: tag) else {
            return .noTag
        }
        // A hub carries the sound of its clip with the post, and the link beside it leads to the same clip's page.
        let carried = Set(post.audio.compactMap { hubOrigin(of: $0) })
        let links = (post.links + Self.addresses(in: post.text)).filter {
            carried.isEmpty || hubOrigin(of: $0).map { !carried.contains($0) } ?? true
        }
        var found: [ClipAddress] = []
        for address in links.compactMap(address(of:)) + post.audio.map(sound)
        where !found.contains(address) && found.count < Self.maximum {
            found.append(address)
        }
        return found.isEmpty ? .noClip : .clips(found)
    }

    /// The clip that a link leads to; nil when it leads to none.
    public func address(of link: String) -> ClipAddress? {
        guard let address = WebAddress(link) else { return nil }
        return Self.drive(address) ?? hub(address)
    }

    // MARK: Drive

    /// The forms of Drive links that people paste; the id is `[A-Za-z0-9_-]{10,}`.
    private static func drive(_ address: WebAddress) -> ClipAddress? {
        let path = address.path.split(separator: "/").map(String.init)
        var id: String?
        switch address.host {
        case "drive.google.com", "docs.google.com":
            if let place = path.firstIndex(of: "d"), place + 1 < path.count, path.prefix(place).contains("file") {
                id = path[place + 1]
            } else if path.last == "open" || path.last == "uc" {
                id = address.field("id")
            }
        case "drive.usercontent.google.com":
            if path.last == "download" || path.last == "uc" { id = address.field("id") }
        default: return nil
        }
        guard let id, id.utf8.count >= 10, id.utf8.count <= 200, id.utf8.allSatisfy(isWord) else { return nil }
        let key = address.field("resourcekey").flatMap { key in
            !key.isEmpty && key.utf8.count <= 200 && key.utf8.allSatisfy(isWord) ? key : nil
        }
        return .drive(id: id, resourceKey: key)
    }

    // MARK: Hub

    /// Sound that came with a post: of a hub's clip where it lies at one, otherwise the network's own.
    private func sound(at link: String) -> ClipAddress {
        if let address = WebAddress(link), let clip = hub(address) { return clip }
        return .attachment(link)
    }

    /// The hub that an address leads to; nil when it is none of them.
    private func hubOrigin(of link: String) -> WebOrigin? {
        guard !bases.isEmpty, let address = WebAddress(link), hub(address) != nil else { return nil }
        return WebOrigin(address)
    }

    /// A page, player or file of a hub, and any MP3 below a configured address.
    private func hub(_ address: WebAddress) -> ClipAddress? {
        for base in bases where WebOrigin(base) == WebOrigin(address) && !address.hasDotSegments {
            let root = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
            guard address.path.hasPrefix(root + "/") else { continue }
            let rest = address.path.dropFirst(root.count + 1).split(separator: "/").map(String.init)
            if rest.count == 2, ["c", "embed"].contains(rest[0]), !rest[1].isEmpty, rest[1].utf8.allSatisfy(Self.isWord)
            {
                return .hub(base.replacing(path: "\(root)/media/\(rest[1]).mp3").text)
            }
            if rest.last?.lowercased().hasSuffix(".mp3") == true {
                return .hub(address.replacing(path: address.path).text)
            }
        }
        return nil
    }

    /// Letters and digits of ASCII, `_` and `-`.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
        default: false
        }
    }

    // MARK: Text

    /// Whether the text has the tag as a whole: no letter, digit or underscore touches it on either side.
    static func text(_ text: String, hasTag tag: String) -> Bool {
        var rest = Substring(text)
        var before: Character?
        while let sign = rest.firstIndex(where: { $0 == "#" || $0 == "＃" }) {
            if sign > rest.startIndex { before = rest[rest.index(before: sign)] }
            let behind = rest[rest.index(after: sign)...]
            let word = behind.prefix(tag.count)
            let after = behind.dropFirst(tag.count).first
            if word.lowercased() == tag, !(before.map(isTagCharacter) ?? false), before != "&", before != "/",
                !(after.map(isTagCharacter) ?? false)
            {
                return true
            }
            before = rest[sign]
            rest = behind
        }
        return false
    }

    private static func isTagCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// The web addresses that stand in the text, without the punctuation of the sentence around them.
    private static func addresses(in text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).prefix(1000).compactMap { word in
            // By bytes of the word itself: in lower case it may have fewer characters, or more.
            let bytes = word.utf8
            guard let begin = bytes.indices.first(where: { beginsAddress(bytes[$0...]) }) else { return nil }
            var address = String(decoding: bytes[begin...], as: UTF8.self)
            while let last = address.last, ".,;:!?)]}>'\"»”".contains(last) { address.removeLast() }
            return address
        }
    }

    /// Whether `http://` or `https://` stands at the beginning, in any case.
    private static func beginsAddress(_ bytes: Substring.UTF8View) -> Bool {
        // Nearly every byte is told by itself.
        guard let first = bytes.first, first | 0x20 == UInt8(ascii: "h") else { return false }
        let head = bytes.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return head.starts(with: "http://".utf8) || head.starts(with: "https://".utf8)
    }
}

/// Where the sound of a clip lies, as found in a post.
public enum ClipAddress: Hashable, Sendable, Codable {
    /// A file of Google Drive that anyone may read.
    case drive(id: String, resourceKey: String?)
    /// The sound file of a hub's clip, or below another configured address.
    case hub(String)
    /// Sound that the network carries with the post.
    case attachment(String)
}
