import ChirpCore
import ChirpHub
import ChirpStores
import FoundationEssentials
import Logging

/// Builds the live objects of one run from its settings. Nothing else does, and nothing is built before it is needed.
struct Wiring: Sendable {
    let session: Session

    /// Addresses of the hub, as `serve` listens and as links begin.
    func hubSettings() throws(HubError) -> HubSettings {
        let config = session.config
        return try HubSettings(
            bind: config.hubBind.value, port: config.hubPort.value, publicURL: config.hubPublicURL.value)
    }

    func hubLibrary() throws(HubError) -> HubLibrary {
        try HubLibrary(folder: session.paths.hub, limit: session.config.hubLimit.value?.count)
    }

    /// What the server and its libraries report; warnings only unless `-v`.
    func logger() -> Logger {
        var logger = Logger(label: "chirp.hub", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = session.console.verbose ? .info : .warning
        return logger
    }
}
