package import ChirpAccounts
internal import GRDB

extension HubReader {
    /// What somebody says to be here for. Everybody sees it who sees the page.
    package func tags(of person: AccountID) async throws(LibraryError) -> [PersonTag] {
        try await library.read { try PersonTag.of(person, in: $0) }
    }
}
