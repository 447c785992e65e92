import ChirpAccounts
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

    /// Of a hub at which people sign in.
    static func settings(_ registration: Registration = .closed) throws -> HubSettings {
        var settings = try HubSettings(HubAddress(port: 0, publicURL: publicURL))
        settings.registration = registration
        settings.passwordCost = passwordCost
        return settings
    }

    var accounts: Accounts { library.accounts(PasswordDesk(cost: Self.passwordCost)) }

    /// Cheap, for tests.
    static var passwordCost: PasswordCost { PasswordCost(memory: 8192, passes: 1) }

    /// Errors only.
    static var logger: Logger {
        var logger = Logger(label: "hub.tests")
        logger.logLevel = .critical
        return logger
    }
}
