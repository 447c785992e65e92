package import ChirpCommunity
internal import ChirpFiles
package import FoundationEssentials

/// What is signed when a licence is granted, in bytes that nobody can read in two ways.
///
/// The first line is ``kind``. Every other is a name, a space, the number of bytes of the value, a colon, the value and a line end, in one order:
///
///     order 22:k3vq8x2m7w4t9r1zAbCdEf
///     licensee 9:Ann Smith
///
/// So a value may hold anything, line ends too, and no two statements have the same bytes.
package struct GrantStatement: Hashable, Sendable {
    package let order: HubID
    package let work: HubID
    package let title: String
    package let licence: String
    package let licenceName: String
    package let terms: LicenceTerms
    package let text: HubID
    package let textDigest: String
    package let licensor: String
    package let licensee: String
    /// Whole seconds.
    package let sold: Date
    package let files: [GrantFile]
    /// SHA-256 of the paper as it is without its signature.
    package let body: String

    /// Also keeps what is signed here apart from everything else that is ever signed.
    package static let kind = "chirp-grant-1"
    /// More than the longest names of all files, of eight bytes a letter, take.
    static let mostBytes = 320_000

    package init(_ draft: GrantDraft, textDigest: String, body: String) {
        (order, work, title, licence) = (draft.order, draft.work, draft.title, draft.licence)
        (licenceName, terms, text, self.textDigest) = (draft.licenceName, draft.terms, draft.text, textDigest)
        (licensor, licensee, files, self.body) = (draft.licensor.name, draft.licensee.name, draft.files, body)
        sold = Date(timeIntervalSince1970: draft.sold.timeIntervalSince1970.rounded(.down))
    }

    /// The bytes that are signed.
    package var bytes: [UInt8] {
        var bytes = Array("\(Self.kind)\n".utf8)
        for (name, value) in lines { bytes += Array("\(name) \(value.utf8.count):\(value)\n".utf8) }
        return bytes
    }

    private var lines: [(String, String)] {
        [
            ("order", order.text), ("work", work.text), ("title", title), ("licence", licence),
            ("licence-name", licenceName), ("terms", terms.json), ("text", text.text), ("text-sha256", textDigest),
            ("licensor", licensor), ("licensee", licensee), ("amount", Self.amount(of: terms.price)),
            ("sold", sold.formatted(.iso8601)),
        ]
            + files.flatMap { [("file", $0.name), ("file-bytes", "\($0.bytes)"), ("file-sha256", $0.sha256)] }
            + [("body-sha256", body)]
    }

    private static func amount(of price: LicencePrice) -> String {
        guard case .amount(let amount) = price else { return "0" }
        return "\(amount.digits()) \(amount.currency)"
    }

    /// Reads what ``bytes`` has written; nil for anything else.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes, var lines = Self.lines(of: bytes) else { return nil }
        func next(_ name: String) -> String? {
            guard lines.first?.name == name else { return nil }
            return lines.removeFirst().value
        }
        guard let order = next("order").flatMap({ HubID($0) }), let work = next("work").flatMap({ HubID($0) }),
            let title = next("title"), let licence = next("licence"), let licenceName = next("licence-name"),
            let terms = next("terms").flatMap({ LicenceTerms(json: $0) }),
            let text = next("text").flatMap({ HubID($0) }), let textDigest = next("text-sha256"),
            let licensor = next("licensor"), let licensee = next("licensee"), next("amount") != nil,
            let sold = next("sold").flatMap({ try? Date($0, strategy: .iso8601) })
        else { return nil }
        var files: [GrantFile] = []
        while let name = next("file") {
            guard let bytes = next("file-bytes")?.safeInteger, let sha256 = next("file-sha256") else {
                return nil
            }
            files.append(GrantFile(name: name, bytes: bytes, sha256: sha256))
        }
        guard let body = next("body-sha256"), lines.isEmpty else { return nil }
        (self.order, self.work, self.title, self.licence) = (order, work, title, licence)
        (self.licenceName, self.terms, self.text, self.textDigest) = (licenceName, terms, text, textDigest)
        (self.licensor, self.licensee, self.sold, self.files, self.body) = (licensor, licensee, sold, files, body)
        // One statement, one form: numbers and dates could be written in several.
        guard self.bytes == bytes else { return nil }
    }

    private static func lines(of bytes: [UInt8]) -> ArraySlice<(name: String, value: String)>? {
        let head = Array("\(kind)\n".utf8)
        guard bytes.starts(with: head) else { return nil }
        var (rest, lines) = (bytes[head.count...], [(name: String, value: String)]())
        while !rest.isEmpty {
            guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
                let colon = rest[space...].firstIndex(of: UInt8(ascii: ":")),
                let count = String(decoding: rest[(space + 1)..<colon], as: UTF8.self).integer(in: 0 ... .max),
                count < rest.endIndex - colon - 1, rest[colon + 1 + count] == UInt8(ascii: "\n"),
                let value = String(validating: rest[(colon + 1)..<(colon + 1 + count)], as: UTF8.self)
            else { return nil }
            lines.append((String(decoding: rest[..<space], as: UTF8.self), value))
            rest = rest[(colon + 2 + count)...]
        }
        return lines[...]
    }
}
