import ChirpFleet
import ChirpFlows

extension Wiring {
    /// How the fleet at these addresses is reached.
    func fleetSettings(_ addresses: String) throws(FleetError) -> FleetSettings {
        let config = session.config
        return FleetSettings(
            servers: try FleetServers(addresses), credentials: config.fleetCredentials.value,
            authorities: config.fleetCAFile.value, replicas: config.fleetReplicas.value)
    }

    /// The folders that all machines of the fleet reach.
    func fleetRoots() throws(FleetError) -> [FleetRoot] {
        guard let text = session.config.fleetRoots.value else { return [] }
        var roots: [FleetRoot] = []
        for part in text.split(separator: ",") {
            let root = try FleetRoot(String(part))
            guard !roots.contains(where: { $0.name == root.name }) else {
                throw .badRoot(String(part), reason: "there are two of this name")
            }
            roots.append(root)
        }
        return roots
    }
}
