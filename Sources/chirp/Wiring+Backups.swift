import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpOwnHub
import Logging

// Backups of the hub, and where they are kept.
extension Wiring {
    func hubBackup() -> HubBackup {
        HubBackup(folder: session.paths.hub, program: Program.version, boards: Boards.tables)
    }

    /// Backs the hub up while it is served; nil when nobody has asked for it. A hub to try things on would put what is in it among the
    /// backups of the real one.
    func scheduledBackups() throws -> ScheduledBackups? {
        let config = session.config
        guard let store = config.hubBackupStore.value, !config.hubStaging.value else { return nil }
        let logger = logger()
        let plan = ScheduledBackups.Plan(every: config.hubBackupEvery.value.seconds, keep: config.hubBackupKeep.value)
        return ScheduledBackups(hubBackup(), to: try backupShelf(store), plan: plan) { event in
            switch event {
            case .saved(let saved):
                logger.info("backed up: \(saved.name), \(ByteCount(saved.bytes))")
                let (missing, damaged) = (saved.report.missing.count, saved.report.damaged.count)
                if missing + damaged > 0 {
                    logger.warning(
                        "the backup \(saved.name) lacks \(Figures.count(missing, "file")), and \(damaged) in it are damaged: chirp hub check --full"
                    )
                }
            case .failed(let why): logger.warning("the hub is not backed up now: \(why)")
            case .unfinished(let why): logger.warning("the hub is backed up, but \(why)")
            }
        }
    }

    /// The place of backups in a store.
    func backupShelf(_ name: PrivateStoreName) throws -> BackupShelf {
        BackupShelf(try privateStore(name, at: .backups(session.config)))
    }
}
