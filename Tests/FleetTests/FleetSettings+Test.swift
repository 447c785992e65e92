import ChirpFleet

extension NatsServers {
    /// Settings whose waits suit tests.
    func settings(silence: Duration = .seconds(2), tries: Int = 3) throws -> FleetSettings {
        var settings = FleetSettings(servers: try FleetServers(addresses))
        settings.silence = silence
        settings.tries = tries
        settings.pause = .milliseconds(100)
        return settings
    }

    /// A queue that is ready. Servers need a moment to begin, and to elect one of them.
    func queue(_ settings: FleetSettings? = nil) throws -> JobQueue {
        let settings = try settings ?? self.settings()
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do throws(FleetError) {
                let queue = try JobQueue(settings)
                try queue.prepare()
                return queue
            } catch {
                guard ContinuousClock.now < end else { throw error }
            }
        }
    }
}
