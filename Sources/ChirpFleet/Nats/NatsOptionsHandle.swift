internal import CNats
internal import ChirpCore
internal import Glibc

/// How to connect: `natsOptions`.
struct NatsOptionsHandle: ~Copyable {
    let raw: OpaquePointer

    init() throws(FleetError) {
        if let reason = chirp_nats_load() { throw .libraryMissing(String(cString: reason)) }
        var raw: OpaquePointer?
        try check(natsOptions_Create(&raw))
        guard let raw else { throw .library("natsOptions_Create gave nothing") }
        self.raw = raw
    }

    deinit { natsOptions_Destroy(raw) }

    /// What the connection sends does not come back to it.
    func leaveOutOwn() throws(FleetError) { try check(natsOptions_SetNoEcho(raw, true)) }

    /// Puts in what the settings say; a connection that is lost comes back by itself, for ever.
    func apply(_ settings: FleetSettings) throws(FleetError) {
        let servers = settings.servers.addresses.map { strdup($0) }
        defer { servers.forEach { free($0) } }
        var pointers = servers.map { UnsafePointer<CChar>($0) }
        try check(natsOptions_SetServers(raw, &pointers, Int32(pointers.count)))
        try check(natsOptions_SetName(raw, settings.name))
        try check(natsOptions_SetTimeout(raw, 5_000))
        try check(natsOptions_SetMaxReconnect(raw, -1))
        try check(natsOptions_SetReconnectWait(raw, 250))
        try check(natsOptions_SetReconnectJitter(raw, 250, 1_000))
        // Two unanswered ones and the connection counts as lost.
        try check(natsOptions_SetPingInterval(raw, 10_000))
        // The usual handler writes to standard error; what matters comes back as a status of the calls.
        try check(natsOptions_SetErrorHandler(raw, { _, _, _, _ in }, nil))
        if let file = settings.authorities {
            try check(natsOptions_SetSecure(raw, true))
            guard natsOptions_LoadCATrustedCertificates(raw, file) == NATS_OK else {
                throw .badCredentials(path: file, reason: "it holds no certificates")
            }
        } else if settings.usesTLS {
            try check(natsOptions_SetSecure(raw, true))
        }
        // Debian's library compares the certificate with the name of each address by itself (FleetTests show it); a library can be
        // built to compare with what is said here only, and there is room for one name.
        if settings.usesTLS, let host = settings.servers.onlyName {
            try check(natsOptions_SetExpectedHostname(raw, host))
        }
        guard let file = settings.credentials else { return }
        switch try FleetCredentials(path: file) {
        case .user(let name, let password):
            if !settings.usesTLS, !settings.allowsClearPassword {
                if let server = settings.servers.firstElsewhere { throw .clearPassword(server: server) }
                // A server tells of its neighbours, which may be on other machines.
                try check(natsOptions_SetIgnoreDiscoveredServers(raw, true))
            }
            try check(natsOptions_SetUserInfo(raw, name, password.reveal()))
        case .signed(let path): try check(natsOptions_SetUserCredentialsFromFiles(raw, path, nil))
        }
    }
}

private func check(_ status: natsStatus) throws(FleetError) {
    guard status == NATS_OK else { throw .library(String(cString: natsStatus_GetText(status))) }
}
