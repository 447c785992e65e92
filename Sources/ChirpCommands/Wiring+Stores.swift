internal import ChirpCore
package import ChirpHTTP
internal import ChirpNetworks
internal import ChirpOAuth
package import ChirpStores

// The stores that are services.
extension Wiring {
    /// A store whose short outages are waited for.
    func retrying(_ store: any Store) -> any Store { RetryingStore(store) }

    /// Google Drive of the account that is signed in.
    package func driveStore() throws -> DriveStore {
        let config = session.config
        let settings = DriveStore.Settings(
            api: try Self.address(config.driveAPI.value), upload: try Self.address(config.driveUpload.value),
            web: try Self.address(config.driveWeb.value))
        return DriveStore(settings, transport: AuthorizedTransport(transport, tokens: try driveTokens()))
    }

    /// Drive, when somebody is signed in to it.
    package func driveToSweep() throws(StoreError) -> DriveStore? {
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

    /// The WebDAV folder of the configuration.
    package func webdavFolder() throws -> WebAddress {
        guard let url = session.config.webdavURL.value else {
            throw ConfigError.incomplete(
                key: "webdav.url", neededFor: "the store webdav", example: "https://cloud.example.org/dav/clips")
        }
        return try Self.address(url)
    }

    /// The WebDAV store, signed in with what the environment or the credentials hold.
    package func webdavStore() throws -> WebDAVStore {
        let folder = try webdavFolder()
        guard session.config.webdavPublicURL.value != nil else {
            throw ConfigError.incomplete(
                key: "webdav.publicURL", neededFor: "the store webdav", example: "https://example.org/clips")
        }
        return webdavStore(at: folder, try webdavTransport(to: folder))
    }

    package func webdavStore(at folder: WebAddress, _ transport: any HTTPTransport) -> WebDAVStore {
        let settings = WebDAVStore.Settings(folder: folder, linkBase: session.config.webdavPublicURL.value)
        return WebDAVStore(settings, transport: transport)
    }

    package func webdavTransport(to folder: WebAddress) throws -> any HTTPTransport {
        let environment = session.environment
        if let token = environment["CHIRP_WEBDAV_TOKEN"], !token.isEmpty {
            return AuthorizedTransport(transport, tokens: FixedToken(Secret(token), service: "webdav"))
        }
        let configured = session.config.webdavUser.value
        if let configured, let password = environment["CHIRP_WEBDAV_PASSWORD"], !password.isEmpty {
            return BasicTransport(transport, user: configured, password: Secret(password))
        }
        if let known = try credentials.credential(for: "webdav"), let user = known.user, let password = known.password {
            // A password goes to the server that it was given for, and to no other.
            guard known.instance == folder.origin, configured ?? user == user else {
                throw StoreError.signedOut(
                    store: "webdav", cause: "the sign-in is that of another user or server than is configured now")
            }
            return BasicTransport(transport, user: user, password: password)
        }
        if configured != nil { throw StoreError.signedOut(store: "webdav") }
        return transport
    }

    private static func address(_ text: String) throws(StoreError) -> WebAddress {
        guard let address = WebAddress(text) else {
            throw .refused(status: 0, detail: "'\(AddressText.masked(text))' in the configuration is no web address")
        }
        return address
    }
}
