package import ChirpAccounts
internal import ChirpWeb
internal import FoundationEssentials

/// A letter as it travels (RFC 5322). The same letter has the same bytes whenever it is made, so that who gets it twice can tell.
package struct LetterMessage: Sendable {
    /// Of letters and digits.
    package let id: String
    package let from: String
    package let to: String
    package let bytes: [UInt8]

    /// - Parameters:
    ///   - publicURL: what links begin with.
    ///   - from: the hub's own address; nil makes one of the public URL.
    package init(_ waiting: WaitingLetter, publicURL: String, from: String? = nil) {
        let host = Self.host(publicURL)
        let language = Language(rawValue: waiting.language) ?? .english
        let words = Language.$current.withValue(language) { LetterWords(waiting.letter, publicURL: publicURL) }
        id = waiting.id
        self.from = from ?? "chirp@\(host)"
        to = waiting.letter.recipient.text
        let body = words.lines.joined(separator: "\r\n") + "\r\n"
        let isPlain = body.utf8.allSatisfy { $0 < 0x80 }
        let header = [
            "From: Chirp <\(self.from)>", "To: \(to)", "Subject: \(Self.encoded(words.subject))",
            "Date: \(Self.text(waiting.created))", "Message-ID: <\(id)@\(host)>", "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Language: \(language.rawValue)",
            // Not every server takes eight bits.
            "Content-Transfer-Encoding: \(isPlain ? "7bit" : "base64")",
        ].map(Self.oneLine)
        let content =
            isPlain ? body : Data(body.utf8).base64EncodedString(options: [.lineLength76Characters]) + "\r\n"
        bytes = Array((header + ["", content]).joined(separator: "\r\n").utf8)
    }

    /// A text for a field, of ASCII alone (RFC 2047, section 2: a word has at most 75 characters).
    private static func encoded(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var pieces: [String] = [""]
        for character in text {
            if (pieces.last?.utf8.count ?? 0) + String(character).utf8.count > 45 { pieces.append("") }
            pieces[pieces.count - 1].append(character)
        }
        return pieces.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: " ")
    }

    /// A field ends where its line does. Addresses were checked before; this holds whatever they are.
    private static func oneLine(_ field: String) -> String {
        String(decoding: field.utf8.map { (32...126).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    private static func host(_ publicURL: String) -> String {
        guard let scheme = publicURL.firstRange(of: "://") else { return "localhost" }
        return String(publicURL[scheme.upperBound...].prefix { $0 != "/" && $0 != ":" })
    }

    /// An instant as RFC 5322, section 3.3, has it.
    private static func text(_ date: Date) -> String {
        let parts = utc.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
            ((parts.month ?? 1) - 1) % 12]
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return
            "\(parts.day ?? 1) \(month) \(parts.year ?? 1970) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) +0000"
    }

    private static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
