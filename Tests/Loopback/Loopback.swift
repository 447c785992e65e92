import ChirpCore
import ChirpFiles
import ChirpHTTP
import ChirpStores
import Foundation
import LoopbackService

/// The loopback services as a program, for clients that are not written in Swift and for measuring uploads:
///
///     loopback serve                       prints the addresses as JSON; ends when standard input does
///     loopback discard SHA256               the same, keeping nothing of what it is sent and claiming this checksum for it
///     loopback upload FILE ADDRESSES       sends a file with the store of the project to the Drive of that JSON file
///     loopback put FILE URL                the same to a WebDAV folder
///     loopback verify                      tells which signed messages of a payment service are believed, a line each
///     loopback sign                        signs requests to S3, a line each
///     loopback bids API KEY                charges, lets go and gives back at a payment service
@main
enum Loopback {
    struct Addresses: Codable {
        var drive: String
        var token: String
        var x: String?
        var xToken: String?
        var mastodon: String?
        var mastodonToken: String?
        var stripe: String?
    }

    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch (words.first, words.count) {
        case ("serve", 1): try serveAll()
        case ("discard", 2): try serve(LoopbackDrive(discardingContentOf: words[1]))
        case ("upload", 3): try await upload(words[1], addresses: words[2])
        case ("put", 3): try await put(words[1], to: words[2])
        case ("verify", 1): try LoopbackOrders.verify()
        case ("sign", 1): try LoopbackSignatures.sign()
        case ("bids", 3): try await LoopbackOrders.bids(at: words[1], key: words[2])
        default:
            FileHandle.standardError.write(
                Data(
                    """
                    usage: loopback serve | discard SHA256 | upload FILE ADDRESSES | put FILE URL | verify | sign | bids API KEY

                    """.utf8))
            exit(64)
        }
    }

    private static func serveAll() throws {
        let (drive, x, mastodon) = (try LoopbackDrive(), try LoopbackX(), try LoopbackMastodon())
        let stripe = try LoopbackStripe()
        stripe.set(now: Int64(Date().timeIntervalSince1970))
        x.follow(3)
        mastodon.follow(100)
        let addresses = Addresses(
            drive: drive.base, token: LoopbackDrive.token, x: x.base, xToken: x.oauth.grant().access,
            mastodon: mastodon.base, mastodonToken: mastodon.oauth.grant().access,
            stripe: stripe.base)
        FileHandle.standardOutput.write(try JSONEncoder().encode(addresses) + Data("\n".utf8))
        while readLine() != nil {}
        withExtendedLifetime((drive, x, mastodon, stripe)) {}
    }

    private static func serve(_ drive: LoopbackDrive) throws {
        let addresses = Addresses(drive: drive.base, token: LoopbackDrive.token)
        FileHandle.standardOutput.write(try JSONEncoder().encode(addresses) + Data("\n".utf8))
        while readLine() != nil {}
        drive.close()
    }

    private static func payload(_ path: String) throws -> Payload {
        // As in a publication, where the clip is measured and hashed when it is made.
        let seal = FileSeal(path)
        let digest = try FileDigest.reading(path)
        var payload = Payload(path: path, bytes: digest.bytes, sha256: digest.sha256, name: "upload.mp3")
        payload.seal = seal
        return payload
    }

    private static func upload(_ path: String, addresses file: String) async throws {
        let addresses = try JSONDecoder().decode(Addresses.self, from: Data(contentsOf: URL(filePath: file)))
        guard let base = WebAddress(addresses.drive) else { throw StoreError.unsupported("read \(file)") }
        let settings = DriveStore.Settings(
            api: base.appending("drive", "v3"), upload: base.appending("upload", "drive", "v3"), web: base)
        let tokens = FixedToken(Secret(addresses.token), service: "drive")
        try await send(path, to: DriveStore(settings, transport: AuthorizedTransport(CurlTransport(), tokens: tokens)))
    }

    private static func put(_ path: String, to address: String) async throws {
        guard let folder = WebAddress(address) else { throw StoreError.unsupported("use \(address)") }
        try await send(
            path, to: WebDAVStore(WebDAVStore.Settings(folder: folder, linkBase: nil), transport: CurlTransport()))
    }

    /// Prints the seconds of the upload alone.
    private static func send(_ path: String, to store: any Store) async throws {
        let payload = try payload(path)
        let id = try await store.reserve()
        let clock = ContinuousClock()
        let begin = clock.now
        _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        print((clock.now - begin) / .seconds(1))
        try await store.remove(id)
    }
}
