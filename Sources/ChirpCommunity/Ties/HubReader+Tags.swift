package import ChirpAccounts
internal import GRDB

extension HubReader {
    /// What somebody says to be here for. Everybody sees it who sees the page.
    package func tags(of person: AccountID) async throws(LibraryError) -> [PersonTag] {
        try await library.read { try PersonTag.of(person, in: $0) }
    }

    /// The picture that somebody shows; nil when there is none.
    package func portrait(of person: AccountID) async throws(LibraryError) -> Portrait? {
        try await library.read { try Portrait.of(person, in: $0) }
    }
}
