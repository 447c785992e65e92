import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpOwnHub
import ChirpStores
import Logging

// Backups of the hub, and where they are kept.
extension Wiring {
    func hubBackup() -> HubBackup {
        HubBackup(folder: session.paths.hub, program: Chirp.version, boards: Boards.tables)
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

    /// The place of backups in a store. It is never that of clips, which others may read: a backup holds the hub's secrets.
    func backupShelf(_ name: BackupStoreName) throws -> BackupShelf {
        let setting = session.config.hubBackupPlace
        guard let place = setting.value else {
            throw ConfigError.incomplete(
                key: Self.backupPlace, neededFor: "a backup in the store \(name.rawValue)", example: name.example)
        }
        let store: any ListingStore =
            switch name {
            case .folder: try backupFolder(place)
            case .webdav: try backupWebDAV(place)
            case .s3: try backupBucket(place)
            }
        return BackupShelf(store)
    }

    private static let backupPlace = "hub.backup.place"

    private func backupFolder(_ place: String) throws(ConfigError) -> FolderStore {
        guard place.hasPrefix("/") else { throw unsuitable(place, .folder, "an absolute path") }
        let (config, paths) = (session.config, session.paths)
        let isShown = config.folderPublicURL.value != nil
        let clips = isShown ? [config.folderPath.value ?? paths.clips] : []
        guard !(clips + [paths.hub]).contains(where: { Self.isBeneath(place, $0) }) else {
            throw unsuitable(place, .folder, "a folder outside the hub's own, which others cannot read,")
        }
        return FolderStore(FolderStore.Settings(path: place))
    }

    private func backupWebDAV(_ place: String) throws -> WebDAVStore {
        guard Limits<String>.isURL(place), let address = WebAddress(place) else {
            throw unsuitable(place, .webdav, "the address of a folder")
        }
        let config = session.config
        if config.webdavPublicURL.value != nil, let clips = config.webdavURL.value, Self.isBeneath(place, clips) {
            throw unsuitable(place, .webdav, "a folder that others cannot read, outside webdav.url,")
        }
        return WebDAVStore(
            WebDAVStore.Settings(folder: address, linkBase: nil), transport: try webdavTransport(to: address))
    }

    private func backupBucket(_ place: String) throws -> S3Store {
        let config = session.config
        let parts = place.split(separator: "/", maxSplits: 1).map(String.init)
        let folder = parts.count > 1 ? parts[1] : ""
        guard !place.hasPrefix("/"), let bucket = parts.first, S3Store.Settings.isBucket(bucket),
            S3Store.Settings.isFolder(folder)
        else {
            throw unsuitable(place, .s3, "a bucket, and perhaps a folder in it")
        }
        let clips = [config.s3Bucket.value, config.s3Folder.value].compactMap { $0 }.joined(separator: "/")
        if config.s3PublicURL.value != nil, !clips.isEmpty, Self.isBeneath(place, clips) {
            throw unsuitable(place, .s3, "a bucket or folder that others cannot read, outside that of clips,")
        }
        return try s3Store(try s3Settings(bucket: bucket, folder: folder))
    }

    private func unsuitable(_ place: String, _ store: BackupStoreName, _ needs: String) -> ConfigError {
        .badValue(
            key: Self.backupPlace, place: "\(session.config.hubBackupPlace.origin)",
            value: BadValue(place, needs: "\(needs) such as \(store.example)"), example: store.example)
    }

    /// Whether a place is another, or in it.
    private static func isBeneath(_ place: String, _ other: String) -> Bool {
        func parts(_ text: String) -> [Substring] { text.split(separator: "/") }
        return parts(place).starts(with: parts(other))
    }
}

extension BackupStoreName {
    /// A place in it.
    var example: String {
        switch self {
        case .folder: "/mnt/nas/hub-backups"
        case .webdav: "https://cloud.example.org/dav/hub-backups"
        case .s3: "hub-backups"
        }
    }
}
