import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpHub
import ChirpRecords
import HubHousehold
import Logging

extension HubHousehold {
    func application(
        _ settings: HubSettings? = nil, clock: any Clock<Duration> = ContinuousClock(), intake: ClipIntake? = nil
    ) throws
        -> HubApplication
    {
        var settings = try settings ?? HubSettings(HubAddress(port: 0, publicURL: Self.publicURL))
        // A library of a test has the tables of the boards that the test is about.
        for board in [Records.board, Beats.board] where !library.boards.contains(where: { $0.name == board }) {
            settings.boards.removeAll { $0 == board }
        }
        return HubApplication(
            settings: settings, library: library, logger: Self.logger, clock: clock, intake: intake)
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
