import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpListings
import ChirpNetworks
import ChirpOAuth

// Where boards are that the command line writes to.
extension Wiring {
    /// Lost & Found of the hub that somebody is signed in to; of the one on this machine otherwise.
    func listingBoard() throws -> ListingBoard {
        guard let known = try hubSignIn() else {
            let library = try hubLibrary()
            let (owner, quota) = (library.owner.id, session.config.hubQuotaPerAccount.value.count)
            let shelf = ListingShelf(
                library: library, gazetteer: gazetteer(), publicURL: try hubAddress().publicURL, account: owner)
            return ListingBoard(shelf) { bytes in
                try await library.addPicture(try await itemPicture(bytes), of: owner, quota: quota).id
            }
        }
        guard let root = known.instance.flatMap({ WebAddress($0) }), let client = OAuthService.registered(.hub, known)
        else { throw NetworkError.signedOut(network: "hub") }
        return ListingBoard(
            RemoteListings(
                root: root,
                transport: RetryingTransport(
                    AuthorizedTransport(transport, tokens: tokens(client)), policy: Self.patience)))
    }
}
