internal import ChirpHTTP
package import ChirpStores

// Stores that hold what is the hub's own.
extension Wiring {
    /// A store of the hub's own. It is never that of clips which others may read: a backup holds the hub's secrets, and not every clip is for
    /// everybody.
    package func privateStore(_ name: PrivateStoreName, at place: PrivatePlace) throws -> any ListingStore {
        guard let path = place.setting.value else {
            throw ConfigError.incomplete(
                key: place.key, neededFor: "\(place.what) in the store \(name.rawValue)", example: place.example(name))
        }
        switch name {
        case .folder: return try privateFolder(path, place)
        case .webdav: return try privateWebDAV(path, place)
        case .s3: return try privateBucket(path, place)
        }
    }

    private func privateFolder(_ path: String, _ place: PrivatePlace) throws(ConfigError) -> FolderStore {
        guard path.hasPrefix("/") else { throw unsuitable(path, place, .folder, "an absolute path") }
        let (config, paths) = (session.config, session.paths)
        let isShown = config.folderPublicURL.value != nil
        let clips = isShown ? [config.folderPath.value ?? paths.clips] : []
        guard !(clips + [paths.hub]).contains(where: { Self.isBeneath(path, $0) }) else {
            throw unsuitable(path, place, .folder, "a folder outside the hub's own, which others cannot read,")
        }
        return FolderStore(FolderStore.Settings(path: path))
    }

    private func privateWebDAV(_ path: String, _ place: PrivatePlace) throws -> WebDAVStore {
        guard Limits<String>.isURL(path), let address = WebAddress(path) else {
            throw unsuitable(path, place, .webdav, "the address of a folder")
        }
        let config = session.config
        if config.webdavPublicURL.value != nil, let clips = config.webdavURL.value, Self.isBeneath(path, clips) {
            throw unsuitable(path, place, .webdav, "a folder that others cannot read, outside webdav.url,")
        }
        return WebDAVStore(
            WebDAVStore.Settings(folder: address, linkBase: nil), transport: try webdavTransport(to: address))
    }

    private func privateBucket(_ path: String, _ place: PrivatePlace) throws -> S3Store {
        let config = session.config
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        let folder = parts.count > 1 ? parts[1] : ""
        guard !path.hasPrefix("/"), let bucket = parts.first, S3Store.Settings.isBucket(bucket),
            S3Store.Settings.isFolder(folder)
        else {
            throw unsuitable(path, place, .s3, "a bucket, and perhaps a folder in it")
        }
        let clips = [config.s3Bucket.value, config.s3Folder.value].compactMap { $0 }.joined(separator: "/")
        if config.s3PublicURL.value != nil, !clips.isEmpty, Self.isBeneath(path, clips) {
            throw unsuitable(path, place, .s3, "a bucket or folder that others cannot read, outside that of clips,")
        }
        return try s3Store(try s3Settings(bucket: bucket, folder: folder))
    }

    private func unsuitable(
        _ path: String, _ place: PrivatePlace, _ store: PrivateStoreName, _ needs: String
    ) -> ConfigError {
        let example = place.example(store)
        return .badValue(
            key: place.key, place: "\(place.setting.origin)",
            value: BadValue(path, needs: "\(needs) such as \(example)"), example: example)
    }

    /// Whether a place is another, or in it.
    private static func isBeneath(_ place: String, _ other: String) -> Bool {
        func parts(_ text: String) -> [Substring] { text.split(separator: "/") }
        return parts(place).starts(with: parts(other))
    }
}

/// A setting that says where something of the hub's own is kept.
package struct PrivatePlace {
    let key: String
    let setting: Setting<String?>
    /// What is kept there.
    let what: String
    /// What examples call it.
    let noun: String

    package static func backups(_ config: Config) -> PrivatePlace {
        PrivatePlace(
            key: "hub.backup.place", setting: config.hubBackupPlace, what: "a backup", noun: "hub-backups")
    }

    static func clips(_ config: Config) -> PrivatePlace {
        PrivatePlace(key: "hub.media.place", setting: config.hubMediaPlace, what: "clips", noun: "hub-clips")
    }

    func example(_ store: PrivateStoreName) -> String {
        switch store {
        case .folder: "/mnt/nas/\(noun)"
        case .webdav: "https://cloud.example.org/dav/\(noun)"
        case .s3: noun
        }
    }
}
