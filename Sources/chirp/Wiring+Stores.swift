import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpStores

// The stores that are services.
extension Wiring {
    /// A store whose short outages are waited for.
    func retrying(_ store: any Store) -> any Store { RetryingStore(store) }

    /// Google Drive of the account that is signed in.
    func driveStore() throws -> DriveStore {
        let config = session.config
        let settings = DriveStore.Settings(
            api: try Self.address(config.driveAPI.value), upload: try Self.address(config.driveUpload.value),
            web: try Self.address(config.driveWeb.value))
        return DriveStore(settings, transport: AuthorizedTransport(transport, tokens: try driveTokens()))
    }

    /// Drive, when somebody is signed in to it.
    func driveToSweep() throws(StoreError) -> DriveStore? {
        do {
            let isSignedIn = try client(of: .drive) != nil && credentials.credential(for: "drive") != nil
            return driveToken != nil || isSignedIn ? try driveStore() : nil
        } catch let error as StoreError {
            throw error
        } catch {
            throw .signedOut(store: "drive", cause: (error as? any Explained)?.whatHappened ?? "\(error)")
        }
    }

    /// An access token from elsewhere, instead of a sign-in.
    private var driveToken: Secret? {
        session.environment["CHIRP_DRIVE_TOKEN"].flatMap { $0.isEmpty ? nil : Secret($0) }
    }

    /// The sign-in to Drive.
    private func driveTokens() throws -> any TokenSource {
        if let driveToken { return FixedToken(driveToken, service: "drive") }
        guard try credentials.credential(for: "drive") != nil else { throw StoreError.signedOut(store: "drive") }
        return tokens(try googleClient())
    }

    /// The WebDAV folder of the configuration, signed in with what the environment holds.
    func webdavStore() throws -> WebDAVStore {
        let config = session.config
        guard let url = config.webdavURL.value else {
            throw ConfigError.incomplete(
                key: "webdav.url", neededFor: "the store webdav", example: "https://cloud.example.org/dav/clips")
        }
        guard let base = config.webdavPublicURL.value else {
            throw ConfigError.incomplete(
                key: "webdav.publicURL", neededFor: "the store webdav", example: "https://example.org/clips")
        }
        return WebDAVStore(
            WebDAVStore.Settings(folder: try Self.address(url), linkBase: base), transport: try webdavTransport())
    }

    private func webdavTransport() throws(StoreError) -> any HTTPTransport {
        let environment = session.environment
        if let token = environment["CHIRP_WEBDAV_TOKEN"], !token.isEmpty {
            return AuthorizedTransport(transport, tokens: FixedToken(Secret(token), service: "webdav"))
        }
        guard let user = session.config.webdavUser.value else { return transport }
        guard let password = environment["CHIRP_WEBDAV_PASSWORD"], !password.isEmpty else {
            throw .signedOut(store: "webdav")
        }
        return BasicTransport(transport, user: user, password: Secret(password))
    }

    private static func address(_ text: String) throws(StoreError) -> WebAddress {
        guard let address = WebAddress(text) else {
            throw .refused(status: 0, detail: "'\(text)' in the configuration is no web address")
        }
        return address
    }
}
