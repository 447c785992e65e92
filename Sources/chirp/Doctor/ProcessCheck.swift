import ChirpCommands
import ChirpCore
import ChirpFleet
import ChirpHub

/// Whether several processes could serve the hub as the configuration says. Nobody is asked.
enum ProcessCheck {
    static func findings(_ wiring: Wiring) -> [Finding] {
        let config = wiring.session.config
        guard config.hubShared.value else {
            guard config.hubSignals.value != nil else { return [] }
            return [
                .note(
                    "processes", "hub.signals names servers, but one process serves the hub alone and tells nobody",
                    cure: "Set hub.shared: true, or leave hub.signals out")
            ]
        }
        do throws(HubError) { try wiring.checkSharing() } catch {
            return [.problem("processes", error.whatHappened, cure: error.whatToDo)]
        }
        guard let servers = config.hubSignals.value else {
            return [.ok("processes", "several may serve the hub; each looks by itself for what others write")]
        }
        do throws(FleetError) {
            _ = try wiring.fleetSettings(servers)
            return [.ok("processes", "several may serve the hub, and tell each other by \(servers)")]
        } catch {
            return [.problem("processes", error.whatHappened, cure: error.whatToDo)]
        }
    }
}
