package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import FoundationEssentials

/// A licence that was sold and is to be put on paper: everything that the paper says but for its text.
package struct GrantDraft: Hashable, Sendable {
    package var order: HubID
    package var work: HubID
    /// As it was called when it was sold.
    package var title: String
    /// What the board knows the licence by; up to 200 bytes, never looked at here.
    package var licence: String
    /// As in the shop.
    package var licenceName: String
    /// Their price is what was agreed on: no offer any more.
    package var terms: LicenceTerms
    /// The version of the text that the buyer has read.
    package var text: HubID
    package var licensor: GrantParty
    package var licensee: GrantParty
    /// When it was paid.
    package var sold: Date
    /// What is delivered, at least one.
    package var files: [GrantFile]

    /// Letters of a name or title in a contract, which shows them whole.
    package static let longestName = 120
    /// Of eight versions of a work the master, an MP3 of it and twelve stems; with the longest names they fill most of the pages that a licence
    /// may have.
    package static let mostFiles = 112

    package init(
        order: HubID, work: HubID, title: String, licence: String, licenceName: String, terms: LicenceTerms,
        text: HubID,
        licensor: GrantParty, licensee: GrantParty, sold: Date, files: [GrantFile]
    ) {
        self.order = order
        self.work = work
        self.title = title
        self.licence = licence
        self.licenceName = licenceName
        self.terms = terms
        self.text = text
        self.licensor = licensor
        self.licensee = licensee
        self.sold = sold
        self.files = files
    }

    /// The same with texts that are safe to print, and with what is wrong with them.
    func checked() throws(GrantRefusal) -> GrantDraft {
        var (plain, faults): (GrantDraft, [GrantField: GrantFault]) = (self, [:])
        func name(_ text: String, _ field: GrantField) -> String {
            // What is cut would end with an ellipsis; a contract shows names whole or not at all.
            let name = PlainText(text.prefix(4 * Self.longestName), limit: 4 * Self.longestName).value
            if name.isEmpty { faults[field] = .missing }
            if !name.isWithin(Self.longestName) {
                faults[field] = .tooLong(most: Self.longestName)
            }
            return name
        }
        plain.title = name(title, .title)
        plain.licenceName = name(licenceName, .licenceName)
        plain.licensor.name = name(licensor.name, .licensor)
        plain.licensee.name = name(licensee.name, .licensee)
        plain.files = files.map { GrantFile(name: name($0.name, .files), bytes: $0.bytes, sha256: $0.sha256) }
        if licence.utf8.count > 200 || licence.utf8.contains(where: { $0 < 0x20 }) { faults[.licence] = .unknown }
        if !terms.faults.isEmpty || terms.price == .offer { faults[.terms] = .unknown }
        if files.isEmpty { faults[.files] = .missing }
        if files.count > Self.mostFiles { faults[.files] = .tooLong(most: Self.mostFiles) }
        if !files.allSatisfy(\.isSound) { faults[.files] = .unknown }
        // Years of four digits, so that dates are read as they are written.
        if !(0..<253_402_300_800).contains(sold.timeIntervalSince1970) { faults[.sold] = .unknown }
        guard faults.isEmpty else { throw .fields(faults) }
        return plain
    }
}

/// One side of a contract.
package struct GrantParty: Hashable, Sendable {
    /// Nil: whose account is gone, or who never had one.
    package var account: AccountID?
    /// As the contract names it.
    package var name: String

    package init(_ name: String, account: AccountID? = nil) {
        self.account = account
        self.name = name
    }
}

/// A file that a licence comes with.
package struct GrantFile: Hashable, Sendable {
    package let name: String
    package let bytes: Int64
    /// Lower-case hexadecimal.
    package let sha256: String

    package init(name: String, bytes: Int64, sha256: String) {
        self.name = name
        self.bytes = bytes
        self.sha256 = sha256
    }

    var isSound: Bool { bytes >= 0 && KeptFile.isDigest(sha256) }
}

/// What a grant is made of.
package enum GrantField: String, Hashable, Sendable, CaseIterable {
    case title, licence, licenceName, licensor, licensee, terms, files, sold
}

package enum GrantFault: Hashable, Sendable {
    case missing
    case unknown
    case tooLong(most: Int)
}

/// Why there is no grant.
package enum GrantRefusal: Error, Hashable, Sendable {
    case fields([GrantField: GrantFault])
    case noSuchText
    case noSuchGrant
    /// The work was sold exclusively, under this grant.
    case soldExclusively(HubID)
    /// The text leaves something open that the draft does not say.
    case text(LicenceText.Fault)
    /// It cannot be put on paper: what is missing on this machine, or what is too long.
    case paper(String)
    case signature(String)
    case library(LibraryError)

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as GrantRefusal: self = error
        case let error as LicenceRefusal:
            switch error {
            case .library(let error): self = .library(error)
            default: self = .noSuchText
            }
        case let error as LibraryError: self = .library(error)
        default: self = .library(.inputOutput(path: "grants", reason: "\(error)"))
        }
    }
}
