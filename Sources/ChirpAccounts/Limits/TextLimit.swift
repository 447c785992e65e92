extension String {
    /// Whether a text that a person has typed has at most so many characters, and no more bytes than so many take.
    ///
    /// A character is a grapheme cluster (Unicode UAX #29), which may be of any length: a letter with a thousand marks is one. No scalar
    /// takes more than 4 bytes of UTF-8 (RFC 3629, section 3), so that four for each character leave room for any script.
    ///
    /// - Parameter most: in characters, 0 or more.
    package func isWithin(_ most: Int) -> Bool { utf8.count <= 4 * most && count <= most }
}
