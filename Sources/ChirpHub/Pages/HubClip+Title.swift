internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

extension HubClip {
    /// What stands where a title is needed, in the visitor's language.
    var shownTitle: String { title.isEmpty ? word("clip.untitled") : title }

    /// The same where a post about it is known: without a title, the first of its words.
    func shownTitle(_ post: HubPost?) -> String {
        guard title.isEmpty, let words = post?.firstWords, !words.isEmpty else { return shownTitle }
        return words
    }
}

extension HubPost {
    /// The beginning of what it says, without links, tags and the names at its front.
    var firstWords: String {
        let words = PostText.parts(of: text).map { part in
            if case .words(let words) = part { words } else { " " }
        }
        let said = words.joined().split(whereSeparator: \.isWhitespace).drop { $0.hasPrefix("@") }
        let plain = PlainText(said.joined(separator: " "), limit: 400).value
        guard plain.count > Self.longestTitle else { return plain }
        let cut = plain.prefix(Self.longestTitle)
        // Between two words, where there is a gap.
        let end = cut.lastIndex(of: " ") ?? cut.endIndex
        return "\(cut[..<end])…"
    }

    /// In characters.
    private static var longestTitle: Int { 60 }
}
