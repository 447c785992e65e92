import ChirpCommands
import ChirpFleet
import ChirpFlows
import ChirpHTTP

extension Wiring {
    /// How the fleet at these addresses is reached.
    func fleetSettings(_ addresses: String) throws(FleetError) -> FleetSettings {
        let config = session.config
        var settings = FleetSettings(
            servers: try FleetServers(addresses), credentials: config.fleetCredentials.value,
            authorities: config.fleetCAFile.value, replicas: config.fleetReplicas.value)
        settings.allowsClearPassword = config.fleetAllowClearPassword.value
        return settings
    }

    /// The folders that all machines of the fleet reach.
    func fleetRoots() throws(FleetError) -> [FleetRoot] {
        var roots: [FleetRoot] = []
        for part in rootTexts { roots.append(try FleetRoot(part)) }
        try checkNames(roots.map(\.name))
        return roots
    }

    /// The same for a worker, which may reach them over WebDAV; looks whether it does.
    func workerRoots() async throws -> [WorkerRoot] {
        var server = session.config.webdavURL.value.flatMap { WebAddress($0) }?.origin
        let roots = try rootTexts.map { text in
            try WorkerRoot(text) { address in
                // There is one sign-in, and it is not for just any server.
                guard server ?? address.origin == address.origin else {
                    throw FleetError.badRoot(
                        "\(address)", reason: "the sign-in for WebDAV is that of another server, see webdav.url")
                }
                server = address.origin
                return try webdavTransport(to: address)
            }
        }
        try checkNames(roots.map(\.name))
        for case .collection(let root) in roots { try await root.check() }
        return roots
    }

    private var rootTexts: [String] {
        (session.config.fleetRoots.value ?? "").split(separator: ",").map(String.init)
    }

    private func checkNames(_ names: [String]) throws(FleetError) {
        for (index, name) in names.enumerated() where names[..<index].contains(name) {
            throw .badRoot(name, reason: "there are two of this name")
        }
    }
}
