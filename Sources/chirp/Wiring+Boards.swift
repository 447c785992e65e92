import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpListings
import ChirpNetworks
import ChirpOAuth
import ChirpPlaces
import Glibc
import Logging

// Where boards are that the command line writes to, and the places that they know.
extension Wiring {
    /// Names of places, made anew when Debian's list of them is another one; nil when there is none.
    func gazetteer() -> Gazetteer? {
        let (path, source, logger) = ("\(session.paths.hub)/places.sqlite", Gazetteer.usualSource, logger())
        guard access(source, R_OK) == 0 || access(path, R_OK) == 0 else { return nil }
        return Gazetteer(path: path, source: source) { error in
            logger.warning("there are no names of places: \(error.reason)")
        }
    }

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
