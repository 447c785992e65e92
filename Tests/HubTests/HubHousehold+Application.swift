import ChirpCommunity
import ChirpHub
import HubHousehold
import Logging

extension HubHousehold {
    func application(
        _ settings: HubSettings? = nil, clock: any Clock<Duration> = ContinuousClock(), intake: ClipIntake? = nil
    ) throws
        -> HubApplication
    {
        try HubApplication(
            settings: settings ?? HubSettings(HubAddress(port: 0, publicURL: Self.publicURL)), library: library,
            logger: Self.logger, clock: clock, intake: intake)
    }

    /// Errors only.
    static var logger: Logger {
        var logger = Logger(label: "hub.tests")
        logger.logLevel = .critical
        return logger
    }
}
