package import ChirpCommunity
internal import ChirpCore
package import ChirpFlows
package import ChirpHTTP
package import ChirpJournal
package import ChirpNetworks
internal import ChirpOwnHub
package import ChirpStores
internal import FoundationEssentials
internal import Glibc
package import Logging

/// Builds the live objects of one run from its settings. Nothing else does, and nothing is built before it is needed. A command
/// makes one and passes it on, so that a run has one library, one journal and one HTTP client.
package struct Wiring: Sendable {
    package let session: Session
    private let library: Lazy<HubLibrary, LibraryError>
    private let sharedJournal: Lazy<Journal, JournalError>
    /// The one HTTP client of this run. Without sign-in; repeats nothing.
    package let http: Lazy<CurlTransport, Never>

    package init(session: Session) {
        self.session = session
        let (folder, limit) = (session.paths.hub, session.config.hubLimit.value?.count)
        let (journal, console) = (session.paths.journalFile, session.console)
        sharedJournal = Lazy { () throws(JournalError) in try Journal(path: journal) }
        var curl = CurlSettings(userAgent: Self.userAgent)
        // Nothing secret is in an event: no query, no header field, no content.
        if console.verbose { curl.observe = { event in console.detail(event.description) } }
        let settings = curl
        http = Lazy { () throws(Never) -> CurlTransport in CurlTransport(settings: settings) }
        library = Lazy { () throws(LibraryError) in
            try HubLibrary(folder: folder, limit: limit, boards: Program.boards, away: Self.awaySound(session))
        }
    }

    package static let userAgent = "chirp/\(Program.version)"

    /// The one transport of this run, whose connections all requests share.
    package var transport: any HTTPTransport { http.get() }

    /// Addresses of the hub, as `serve` listens and as links begin.
    package func hubAddress() throws(HubAddressError) -> HubAddress {
        let config = session.config
        return try HubAddress(
            bind: config.hubBind.value, port: config.hubPort.value, publicURL: config.hubPublicURL.value,
            isSecure: config.hubTLSCertificate.value != nil)
    }

    /// The one library of this run; opened by the first who asks.
    package func hubLibrary() throws(LibraryError) -> HubLibrary { try library.get() }

    /// - Parameter sound: what the clip to be saved is known to sound like by then; otherwise it is decoded.
    package func store(_ name: StoreName, sound: KnownSound? = nil) throws -> any Store {
        switch name {
        case .hub:
            if let known = try hubSignIn() { try retrying(hubStore(of: known)) } else { try ownHubStore(sound: sound) }
        case .folder: folderStore(at: session.config.folderPath.value ?? session.paths.clips)
        case .drive: try retrying(driveStore())
        case .webdav: try retrying(webdavStore())
        case .s3: try retrying(s3Store())
        }
    }

    private func folderStore(at path: String) -> FolderStore {
        let config = session.config
        return FolderStore(
            FolderStore.Settings(
                path: path, linkBase: config.folderPublicURL.value, limit: config.folderLimit.value?.count))
    }

    package func network(_ name: NetworkName) throws -> any Network {
        switch name {
        case .x: try xNetwork()
        case .mastodon: try mastodonNetwork()
        case .hub: if let known = try hubSignIn() { try hubNetwork(of: known) } else { try ownHubNetwork() }
        case .none: NoNetwork()
        }
    }

    /// The one journal of this run; opened by the first who asks.
    package func journal() throws(JournalError) -> Journal { try sharedJournal.get() }

    package var takes: TakeFolder { TakeFolder(path: session.paths.takes) }

    package var outbox: OutboxFolder { OutboxFolder(path: session.paths.outbox) }

    /// What the flows need; opens the journal.
    package func ports(report: @escaping @Sendable (FlowEvent) -> Void = { _ in }) throws(JournalError) -> FlowPorts {
        let wiring = self
        var ports = FlowPorts(
            store: { (name, place) async throws(StoreError) in try wiring.store(named: name, place: place) },
            network: { (name, place) async throws(NetworkError) in try wiring.network(named: name, place: place) },
            journal: try journal(), outbox: outbox)
        ports.report = report
        if let fault { ports.fault = fault }
        return ports
    }

    /// What a batch needs; opens the journal.
    package func batchPorts(report: @escaping @Sendable (BatchEvent) -> Bool) throws(JournalError) -> BatchPorts {
        var ports = BatchPorts(journal: try journal())
        ports.report = report
        if let fault { ports.fault = fault }
        return ports
    }

    /// For tests: die as if by power cut, with nothing flushed and nothing tidied up; or wait to be told to go on.
    private var fault: (@Sendable (FaultPoint) -> Bool)? {
        for (variable, signal) in [("CHIRP_FAULT", SIGKILL), ("CHIRP_PAUSE", SIGSTOP)] {
            guard let plan = session.environment[variable].flatMap({ FaultPlan($0) }) else { continue }
            return { point in
                // To this thread, which then does not go on until the whole process has stopped.
                if plan.isDue(at: point) { raise(signal) }
                return false
            }
        }
        return nil
    }

    /// The store of a journal row, which may have been written under other settings.
    private func store(named name: String, place: String) throws(StoreError) -> any Store {
        switch StoreName(rawValue: name) {
        case .folder: return folderStore(at: place)
        case .webdav where place != session.config.webdavURL.value.flatMap({ WebAddress($0) })?.text:
            // Its password must not go anywhere else.
            throw .unreachable("webdav.url does not lead to \(AddressText.masked(place)) any more")
        case .s3 where place != (try? s3Settings())?.place:
            // What its keys sign must not be sent anywhere else.
            throw .unreachable("s3.endpoint, s3.bucket and s3.folder do not lead to \(place) any more")
        case .hub, .drive, .webdav, .s3:
            do {
                let known = StoreName(rawValue: name) ?? .hub
                return try known == .hub ? hubStore(at: place) : store(known)
            } catch let error as StoreError {
                throw error
            } catch {
                throw .unreachable((error as? any Explained)?.whatHappened ?? "\(error)")
            }
        case nil: throw .unsupported("be used by this version: '\(name)'")
        }
    }

    private func network(named name: String, place: String) throws(NetworkError) -> any Network {
        guard let known = NetworkName(rawValue: name) else {
            throw .unsupported("be used by this version: '\(name)'")
        }
        do {
            return try known == .hub ? hubNetwork(at: place) : network(known)
        } catch let error as NetworkError {
            throw error
        } catch let error as LibraryError {
            throw .unreachable(error.whatHappened)
        } catch let error as HubAddressError {
            throw .unreachable(error.whatHappened)
        } catch {
            // Settings that are missing now may come back; what waits is kept as when nobody is signed in.
            throw .signedOut(network: name, cause: (error as? any Explained)?.whatHappened ?? "\(error)")
        }
    }

    /// What the server and its libraries report; warnings only unless `-v`.
    package func logger() -> Logger {
        var logger = Logger(label: "chirp.hub", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = session.console.verbose ? .info : .warning
        return logger
    }
}
