internal import ChirpCore

/// What is not taken as a password because it is tried first: common ones, sequences, repetitions, and what is known of the account
/// (NIST SP 800-63B-4, section 3.1.1.2; ASVS 5.0, 6.2.4 and 6.2.11). Nothing else is asked of the characters.
package struct PasswordRule: Sendable {
    /// Of the account and of the hub, folded.
    private let known: [String]

    /// As many characters have to be left of a password beside ``known`` ones: what is left is a password of its own.
    private static let leastLeft = 8
    /// Shorter ones stand in many words by chance.
    private static let leastKnown = 3

    /// - Parameters:
    ///   - hubWords: the parts of the hub's name.
    init(handle: Handle?, mail: MailAddress?, hubWords: [String]) {
        let parts = [handle?.text, mail.map { String($0.text.prefix { $0 != "@" }) }].compactMap { $0 } + hubWords
        known = Set((parts + ["chirp"]).map { $0.lowercased() }).filter { $0.count >= Self.leastKnown }
            // The longest first, so that nothing of it is left when a shorter one is part of it.
            .sorted { ($1.count, $0) < ($0.count, $1) }
    }

    /// Why a password is not taken; nil for one that may be. Its length is looked at elsewhere (``PasswordHash``).
    func refusal(of password: Secret) -> AccountError.Refusal? {
        let text = password.reveal().lowercased()
        if Self.isCommon(text) { return .passwordCommon }
        let rest = known.reduce(text) { $0.replacing($1, with: "") }
        guard rest != text else { return nil }
        return rest.count < Self.leastLeft || Self.isCommon(rest) ? .passwordKnown : nil
    }

    /// Whether it is in the list, alone or with signs around it, or is made of rows of keys, of the alphabet or of one character.
    static func isCommon(_ text: String) -> Bool {
        let characters = Array(text)
        let letters = text.indices.filter { text[$0].isLetter }
        let core = letters.first.flatMap { first in letters.last.map { String(text[first...$0]) } } ?? ""
        return Set(characters).count < 4 || isRepeated(characters) || isSequence(characters)
            || [text, core, String(core.map { disguises[$0] ?? $0 })].contains(where: list.contains)
    }

    /// Whether it is one piece again and again, the last perhaps cut short: no better than the piece, which would be too short.
    private static func isRepeated(_ text: [Character]) -> Bool {
        (1..<PasswordHash.lengths.lowerBound).contains { period in
            period < text.count && zip(text, text.dropFirst(period)).allSatisfy(==)
        }
    }

    /// Whether it falls into pieces of three or more characters that stand beside each other on a keyboard, in the alphabet or in
    /// numbers, in either direction, or are the same.
    private static func isSequence(_ text: [Character]) -> Bool {
        var rest = text[...]
        while let first = rest.first {
            let same = rest.prefix { $0 == first }.count
            let longest = rows.reduce(same) { longest, row in
                row.indices.reduce(longest) { longest, start in
                    max(longest, zip(row[start...], rest).prefix { $0 == $1 }.count)
                }
            }
            guard longest >= 3 else { return false }
            rest = rest.dropFirst(longest)
        }
        return true
    }

    /// Of the usual Latin keyboards, and the ways over them that hands find by themselves.
    private static let rows: [[Character]] = {
        let forward = [
            "01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl",
            "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
            "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "qazwsxedcrfvtgbyhnujmikolp", "qweasdzxc", "741852963",
            "147258369",
        ]
        return forward.map { Array($0) } + forward.map { $0.reversed() }
    }()

    /// What stands for letters.
    private static let disguises: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
    ]

    /// 6,000 words and whole passwords that stand in published counts of stolen ones, one a line.
    private static let list = Set(
        String(decoding: EmbeddedFiles.common_passwords_txt, as: UTF8.self).split(separator: "\n").map(String.init))
}

extension Accounts {
    /// The hash of a password that somebody has chosen.
    ///
    /// - Throws: ``AccountError/refused(_:_:)`` for the field `password`, ``AccountError/busy``.
    func hash(_ password: Secret, handle: Handle?, mail: MailAddress?) async throws(AccountError) -> PasswordHash {
        let rule = PasswordRule(handle: handle, mail: mail, hubWords: hubWords)
        if PasswordHash.lengths.contains(password.reveal().count), let why = rule.refusal(of: password) {
            throw .refused(.password, why)
        }
        return try await desk.hash(password, for: network.map { .network($0) })
    }
}
