import ChirpCommunity
import Foundation
import Testing

@Suite struct StatementListTests {
    @Test(arguments: [
        [], [""], ["a1"], ["a", "b"], ["\""], ["\\"], ["a\",\"b"], ["line\nbreak", "tab\t"],
        ["grün", "\u{0}", "\u{7F}"], ["\u{202E}"],
    ])
    func `texts come back as they were, whatever is in them`(_ texts: [String]) throws {
        let list = Data(try texts.statementList().utf8)
        #expect(try JSONDecoder().decode([String].self, from: list) == texts)
        #expect(
            try JSONDecoder().decode([String].self, from: Data(texts.lazy.map { $0 }.statementList().utf8)) == texts)
    }

    @Test(arguments: [[], [0], [Int64.min, -1, .max]])
    func `numbers come back as they were`(_ numbers: [Int64]) throws {
        #expect(try JSONDecoder().decode([Int64].self, from: Data(try numbers.statementList().utf8)) == numbers)
    }
}
