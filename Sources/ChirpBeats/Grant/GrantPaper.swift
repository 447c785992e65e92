internal import ChirpCommunity
internal import ChirpDrawing
internal import ChirpFiles
internal import FoundationEssentials

/// A grant as the contract that both sides get.
struct GrantPaper {
    let draft: GrantDraft
    let text: LicenceTextVersion
    /// Licences of the same work that stay valid beside an exclusive one (AR-17).
    let earlier: [EarlierGrant]
    /// Where anybody checks it.
    let address: String

    private var language: LicenceLanguage { text.text.language }

    /// A paper that is signed, and the file.
    func issue(signedWith key: GrantKey) throws(GrantRefusal) -> (document: GrantDocument, pdf: [UInt8]) {
        let body = try pdf(seal: nil)
        let statement = GrantStatement(draft, textDigest: text.sha256, body: FileDigest.sha256(of: body)).bytes
        do {
            let signature = try key.signature(of: statement)
            let pdf = try pdf(seal: seal(of: statement, signature, key.publicKey))
            let sha256 = FileDigest.sha256(of: pdf)
            let seal = try key.signature(of: GrantDocument.sealed(statement: statement, sha256: sha256))
            let document = GrantDocument(
                statement: statement, signature: signature, seal: seal, key: key.publicKey.id, sha256: sha256)
            return (document, pdf)
        } catch let error as GrantRefusal { throw error } catch { throw .signature("\(error)") }
    }

    private func pdf(seal: LicencePaper.Seal?) throws(GrantRefusal) -> [UInt8] {
        let paper = LicencePaper(
            title: text.text.title, subtitle: "\(draft.licenceName) · \(draft.title)", parts: try parts, seal: seal,
            footer: "\(language.word(.order)) \(draft.order)", pageWords: language.word(.page))
        do throws(LicencePaper.Failure) { return try paper.pdf() } catch { throw .paper(error.description) }
    }

    private var parts: [LicencePaper.Part] {
        get throws(GrantRefusal) {
            let clauses: [LicencePaper.Part]
            do throws(LicenceText.Fault) { clauses = try text.text.filled(values) } catch { throw .text(error) }
            return facts + [.heading(language.word(.terms)), terms] + clauses + lists
        }
    }

    private var facts: [LicencePaper.Part] {
        func fact(_ name: LicenceWord, _ value: String) -> LicencePaper.Fact { .init(language.word(name), value) }
        return [
            .heading(language.word(.parties)),
            .facts([fact(.licensor, draft.licensor.name), fact(.licensee, draft.licensee.name)]),
            .heading(language.word(.subject)),
            .facts([
                fact(.work, draft.title), fact(.licence, draft.licenceName),
                fact(.price, draft.terms.price.words(in: language)), fact(.date, Self.date(draft.sold)),
                fact(.order, draft.order.text), fact(.textVersion, "\(text.version) (\(text.sha256.prefix(16)))"),
            ]),
        ]
    }

    private var terms: LicencePaper.Part {
        .table(
            .init(
                [.init(language.word(.right)), .init(language.word(.extent), share: 1.6)],
                rows: draft.terms.lines(in: language).map { [$0.name, $0.extent] }))
    }

    /// What is delivered, and what others hold.
    private var lists: [LicencePaper.Part] {
        let files = LicencePaper.Table(
            [
                .init(language.word(.file), share: 1.4), .init(language.word(.bytes), share: 0.7),
                .init("SHA-256", share: 2.9, isCode: true),
            ], rows: draft.files.map { [$0.name, language.number(Int($0.bytes)), $0.sha256] })
        guard !earlier.isEmpty else { return [.heading(language.word(.files)), .table(files)] }
        let others = LicencePaper.Table(
            [
                .init(language.word(.licence), share: 1.4), .init(language.word(.sold)),
                .init("\(language.word(.number)) (SHA-256)", share: 1.6, isCode: true),
            ], rows: earlier.map { [$0.licenceName, Self.date($0.sold), $0.mark] })
        return [
            .heading(language.word(.files)), .table(files), .heading(language.word(.earlier)), .table(others),
        ]
    }

    private func seal(of statement: [UInt8], _ signature: [UInt8], _ key: GrantPublicKey) -> LicencePaper.Seal {
        LicencePaper.Seal(
            heading: language.word(.checking), text: language.word(.howToCheck), link: address,
            codes: [
                .init(language.word(.signature), signature.hexadecimal),
                .init(language.word(.digest), FileDigest.sha256(of: statement)), .init(language.word(.key), key.id),
            ])
    }

    private var values: [LicenceVariable: String] {
        var values = draft.terms.values(in: language)
        values[.licensor] = draft.licensor.name
        values[.licensee] = draft.licensee.name
        values[.work] = draft.title
        values[.licence] = draft.licenceName
        values[.order] = draft.order.text
        values[.date] = Self.date(draft.sold)
        return values
    }

    /// As everybody reads it: 2027-01-15 (ISO 8601), in UTC.
    static func date(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}
