import ChirpBeats
import ChirpDrawing
import Testing

@Suite struct LicenceTextTests {
    private func text(_ body: String) throws(LicenceText.Fault) -> LicenceText {
        try LicenceText(title: "Licence", body: body, language: .english)
    }

    private let values: [LicenceVariable: String] = [.licensor: "Ann", .licensee: "Bob", .work: "Night drive"]

    @Test func `headings and paragraphs are parted, lines are joined, and variables are replaced`() throws {
        let text = try text(
            """
            # 1. Parties of {work}
            {licensor} gives
            {licensee} this.


            Braces {{are}} letters.
            # 2. End
            """)
        #expect(
            try text.filled(values) == [
                .heading("1. Parties of Night drive"), .paragraph("Ann gives Bob this."),
                .paragraph("Braces {are} letters."), .heading("2. End"),
            ])
    }

    @Test func `a value is only words`() throws {
        let text = try text("{licensor} {licensee} {work}")
        var hostile = values
        hostile[.licensee] = "{work}\n\n# Heading {{"
        #expect(try text.filled(hostile) == [.paragraph("Ann {work}\n\n# Heading {{ Night drive")])
    }

    @Test func `a name that runs the other way is kept apart from the words around it`() throws {
        var other = values
        other[.licensee] = "محمد"
        #expect(
            try text("{licensor} {licensee} {work}").filled(other) == [
                .paragraph("Ann \u{2068}محمد\u{2069} Night drive")
            ])
    }

    @Test func `what is left open is refused when it is written`() {
        let rest = " {licensor} {licensee} {work}"
        let cases: [(String, LicenceText.Fault)] = [
            ("", .empty), (" \n\n", .empty), ("words", .missing(.licensor)), ("{licensor} {work}", .missing(.licensee)),
            ("x\n{licensee } " + rest, .unknownVariable("licensee ", line: 2)),
            ("{name}" + rest, .unknownVariable("name", line: 1)), ("{}" + rest, .unknownVariable("", line: 1)),
            ("{" + rest.replacing("{", with: "").replacing("}", with: ""), .brace(line: 1)),
            ("a } b" + rest, .brace(line: 1)),
            ("{work}}" + rest, .brace(line: 1)),
            (String(repeating: "x", count: LicenceText.longestBody + 1), .tooLong(most: LicenceText.longestBody)),
            (String(repeating: "x\n\n", count: 201) + rest, .tooManyParagraphs(most: LicenceText.mostBlocks)),
        ]
        for (body, fault) in cases { #expect(throws: fault, "\(body.prefix(40))") { try text(body) } }
        #expect(throws: LicenceText.Fault.noTitle) {
            try LicenceText(title: " ", body: rest, language: .english)
        }
    }

    @Test func `a variable without a value is refused when it is filled in`() throws {
        let text = try text("{licensor} {licensee} {work} {amount}")
        #expect(throws: LicenceText.Fault.noValue(.amount)) { try text.filled(values) }
    }

    @Test(arguments: LicenceTemplate.allCases, LicenceLanguage.allCases)
    func `every template can be sold, and says that it is one and no legal advice`(
        template: LicenceTemplate, language: LicenceLanguage
    ) throws {
        let text = try template.text(in: language)
        #expect(text.language == language && !template.name(in: language).isEmpty)
        #expect(template.terms(at: .free).faults.isEmpty)
        #expect(text.body.contains(language == .english ? "no legal advice" : "keine Rechtsberatung"))
        // Everything that shops sell by is in the words too.
        for variable in LicenceVariable.allCases {
            #expect(text.body.contains("{\(variable.rawValue)}"), "\(variable)")
        }
        let all = Dictionary(uniqueKeysWithValues: LicenceVariable.allCases.map { ($0, "x") })
        #expect(try text.filled(all).count > 15)
    }

    @Test func `templates differ in what they allow`() {
        let all = Set(LicenceTemplate.allCases.map { $0.terms(at: .free) })
        #expect(all.count == LicenceTemplate.allCases.count)
        #expect(LicenceTemplate.allCases.filter { $0.terms(at: .free).kind == .exclusive } == [.exclusive])
    }
}
