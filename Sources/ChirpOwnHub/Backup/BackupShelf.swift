package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
package import ChirpStores
package import FoundationEssentials
internal import Glibc

/// The backups of one hub in a store.
///
/// Whatever has a name as ``BackupName`` gives it is one; nothing else in the store is looked at or removed. Nothing is shared: what
/// lies there can be read by whom the store lets read it anyway.
package struct BackupShelf: Sendable {
    /// What was put into the store.
    package struct Saved: Hashable, Sendable {
        package let name: BackupName
        /// Of the archive.
        package let bytes: Int64
        package let report: HubBackup.Report
    }

    private let base: any ListingStore
    /// The same, patient.
    private let store: any Store
    private let retries = StoreRetries()

    package init(_ store: any ListingStore) {
        base = store
        self.store = RetryingStore(store)
    }

    /// The store's name and which one of that name.
    package var place: String { "\(base.properties.name) \(base.properties.place)" }

    /// All, the newest first.
    package func names() async throws(StoredBackupError) -> [BackupName] {
        do throws(StoreError) {
            let ids = try await retries.run { () async throws(StoreError) in
                try await base.ids(beginningWith: BackupName.prefix)
            }
            return ids.compactMap { BackupName($0.text) }.sorted(by: >)
        } catch {
            throw .store(error)
        }
    }

    /// Makes a backup beside the hub's folder, and saves it.
    ///
    /// - Parameters:
    ///   - made: told how much of it is made, 0...1.
    ///   - sent: told how much of it is sent, 0...1.
    package func save(
        _ backup: HubBackup, made: @escaping @Sendable (Double) -> Void = { _ in },
        sent: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(StoredBackupError) -> Saved {
        guard access("\(backup.folder)/hub.sqlite", F_OK) == 0 else { throw .hub(.noHub(path: backup.folder)) }
        let scratch = try Self.scratch(in: AtomicFile.split(backup.folder).folder)
        defer { scratch.remove() }
        let path = "\(scratch.path)/hub.tar"
        let report = try await Self.write(backup, to: path, made)
        let digest: FileDigest
        do throws(FileError) {
            digest = try await offPool { () throws(FileError) in try FileDigest.reading(path) }
        } catch {
            throw .store(error.isCancellation ? .cancelled : .inputOutput(path: path, reason: error.reason))
        }
        let name = BackupName(report.created)
        let payload = Payload(
            path: path, bytes: digest.bytes, sha256: digest.sha256, contentType: "application/x-tar", name: name.text)
        var checkpoint = UploadCheckpoint()
        checkpoint.sent = { sent(Double($0) / Double(max(payload.bytes, 1))) }
        do throws(StoreError) {
            _ = try await store.save(payload, id: StoredObject.ID(name.text), checkpoint: checkpoint)
        } catch {
            throw .store(error)
        }
        return Saved(name: name, bytes: digest.bytes, report: report)
    }

    /// Fetches a backup to beside where the hub is to be, and restores it.
    ///
    /// - Parameters:
    ///   - name: nil for the newest.
    ///   - restoring: told how much is unpacked, 0...1.
    package func restore(
        _ name: BackupName?, to folder: String, boards: [BoardTables],
        restoring: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(StoredBackupError) -> (name: BackupName, report: HubRestore.Report) {
        let goal = HubRestore(file: "", folder: folder, boards: boards)
        do throws(BackupError) { try goal.checkGoal() } catch { throw .hub(error) }
        let wanted: BackupName
        if let name {
            wanted = name
        } else {
            guard let newest = try await names().first else { throw .noBackup(place: place) }
            wanted = newest
        }
        let parent: String
        do throws(BackupError) { parent = try goal.makeParent() } catch { throw .hub(error) }
        let scratch = try Self.scratch(in: parent)
        defer { scratch.remove() }
        let path = "\(scratch.path)/\(wanted)"
        do throws(StoreError) { try await store.load(StoredObject.ID(wanted.text), to: path) } catch {
            throw .store(error)
        }
        do throws(BackupError) {
            let restore = HubRestore(file: path, folder: folder, boards: boards)
            return (wanted, try await restore.run(progress: restoring))
        } catch {
            throw .hub(error)
        }
    }

    /// Removes all but some of the newest, and what attempts that died have left. The one that is named stays in any case: a clock
    /// that was wrong once must not cost the latest.
    package func tidy(keeping count: Int, with latest: BackupName, at now: Date) async throws(StoredBackupError) {
        let others = try await names().filter { $0 != latest }
        do throws(StoreError) {
            for name in others.dropFirst(max(count - 1, 0)) { try await store.remove(StoredObject.ID(name.text)) }
            try await base.tidy(at: now)
        } catch {
            throw .store(error)
        }
    }

    private static func write(
        _ backup: HubBackup, to path: String, _ made: @escaping @Sendable (Double) -> Void
    ) async throws(StoredBackupError) -> HubBackup.Report {
        do throws(BackupError) { return try await backup.write(to: path, progress: made) } catch { throw .hub(error) }
    }

    /// A folder that is gone afterwards, also when this process is killed: then the next one removes it.
    private static func scratch(in folder: String) throws(StoredBackupError) -> ScratchFolder {
        ScratchFolder.removeStrays(in: folder)
        do throws(BackupError) { return try ScratchFolder(beside: "\(folder)/hub") } catch { throw .hub(error) }
    }
}
