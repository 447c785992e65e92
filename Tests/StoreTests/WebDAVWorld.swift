import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import LoopbackService

/// A loopback WebDAV server with limits and faults, and stores that use it.
final class WebDAVWorld: Sendable {
    let service: LoopbackWebDAV
    let folder: TemporaryFolder

    init() throws {
        service = try LoopbackWebDAV()
        folder = try TemporaryFolder()
    }

    deinit { service.close() }

    func store(linkBase: String? = "https://clips.example/") throws -> WebDAVStore {
        guard let address = WebAddress(service.folder) else { throw StoreError.unsupported("use the loopback service") }
        return WebDAVStore(
            WebDAVStore.Settings(folder: address, linkBase: linkBase),
            transport: BasicTransport(
                CurlTransport(), user: LoopbackWebDAV.user, password: Secret(LoopbackWebDAV.password)))
    }
}
