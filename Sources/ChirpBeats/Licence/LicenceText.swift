internal import ChirpAccounts
package import ChirpDrawing

/// The words of a contract before anybody has signed it: headings and paragraphs, with variables.
///
/// A line that begins with `# ` is a heading; paragraphs are parted by empty lines. `{name}` is a ``LicenceVariable``, `{{` and `}}` are
/// the letters themselves. Whatever else stands in braces is refused when the text is written, not found when it is sold.
package struct LicenceText: Hashable, Sendable {
    package let title: String
    /// As it was written.
    package let body: String
    package let language: LicenceLanguage
    private let blocks: [Block]

    package static let longestTitle = 120
    /// Bytes of the body.
    package static let longestBody = 40_000
    package static let mostBlocks = 200

    private struct Block: Hashable, Sendable {
        let isHeading: Bool
        let pieces: [Piece]
    }

    private enum Piece: Hashable, Sendable {
        case words(String)
        case variable(LicenceVariable)
    }

    /// Why a text is none. Lines are counted from 1.
    package enum Fault: Error, Hashable, Sendable {
        case noTitle
        case titleTooLong(most: Int)
        case empty
        case tooLong(most: Int)
        case tooManyParagraphs(most: Int)
        case unknownVariable(String, line: Int)
        /// A brace that opens or closes nothing.
        case brace(line: Int)
        case missing(LicenceVariable)
        /// Of a variable; found when the text is filled in.
        case noValue(LicenceVariable)
    }

    package init(title: String, body: String, language: LicenceLanguage) throws(Fault) {
        guard !title.allSatisfy(\.isWhitespace) else { throw .noTitle }
        guard title.isWithin(Self.longestTitle) else { throw .titleTooLong(most: Self.longestTitle) }
        guard body.utf8.count <= Self.longestBody else { throw .tooLong(most: Self.longestBody) }
        self.title = title
        self.body = body
        self.language = language
        blocks = try Self.blocks(of: body)
        guard !blocks.isEmpty else { throw .empty }
        guard blocks.count <= Self.mostBlocks else { throw .tooManyParagraphs(most: Self.mostBlocks) }
        let used = Set(blocks.flatMap(\.pieces))
        for variable in LicenceVariable.needed where !used.contains(.variable(variable)) { throw .missing(variable) }
    }

    /// The text with values in it. A value is only ever words: it makes neither a heading nor another variable.
    ///
    /// - Throws: ``Fault/noValue(_:)`` for a variable that the text uses and that has none.
    package func filled(_ values: [LicenceVariable: String]) throws(Fault) -> [LicencePaper.Part] {
        var parts: [LicencePaper.Part] = []
        for block in blocks {
            var words = ""
            for piece in block.pieces {
                switch piece {
                case .words(let text): words += text
                case .variable(let variable):
                    guard let value = values[variable] else { throw .noValue(variable) }
                    // A name whose letters run the other way must not turn the words after it.
                    words += value.utf8.allSatisfy { $0 < 0x80 } ? value : "\u{2068}\(value)\u{2069}"
                }
            }
            parts.append(block.isHeading ? .heading(words) : .paragraph(words))
        }
        return parts
    }

    private static func blocks(of body: String) throws(Fault) -> [Block] {
        var (blocks, open): ([Block], [Piece]) = ([], [])
        func end() {
            if !open.isEmpty { blocks.append(Block(isHeading: false, pieces: open)) }
            open = []
        }
        let lines = body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            if line.allSatisfy(\.isWhitespace) {
                end()
            } else if line.hasPrefix("# ") {
                end()
                blocks.append(Block(isHeading: true, pieces: try pieces(of: line.dropFirst(2), line: index + 1)))
            } else {
                if !open.isEmpty { open.append(.words(" ")) }
                open += try pieces(of: line, line: index + 1)
            }
        }
        end()
        return blocks
    }

    private static func pieces(of text: Substring, line: Int) throws(Fault) -> [Piece] {
        var (pieces, words, rest): ([Piece], String, Substring) = ([], "", text)
        while let letter = rest.popFirst() {
            switch letter {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                words.append(letter)
                rest.removeFirst()
            case "{":
                guard let end = rest.firstIndex(of: "}") else { throw .brace(line: line) }
                let name = String(rest[..<end])
                guard let variable = LicenceVariable(rawValue: name) else {
                    throw .unknownVariable(String(name.prefix(40)), line: line)
                }
                if !words.isEmpty { pieces.append(.words(words)) }
                words = ""
                pieces.append(.variable(variable))
                rest = rest[rest.index(after: end)...]
            case "}": throw .brace(line: line)
            default: words.append(letter)
            }
        }
        if !words.isEmpty { pieces.append(.words(words)) }
        return pieces
    }
}

/// What a licence text may leave open: `{name}` in it is replaced when it is sold.
package enum LicenceVariable: String, Hashable, Sendable, CaseIterable {
    case licensor, licensee
    /// The title of what is licensed.
    case work
    /// The name of the licence, as in the shop.
    case licence
    case order, date, amount, files, copies, streams, time, territory, credit, profit

    /// A text that does not name these is no contract.
    package static let needed: [LicenceVariable] = [.licensor, .licensee, .work]
}
