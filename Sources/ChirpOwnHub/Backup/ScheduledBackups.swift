package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
package import FoundationEssentials

/// Backs a hub up into a store again and again, and keeps some of the newest.
///
/// A backup counts when the store has it whole and the diary says so; only then are older ones removed. Killed in between, it is made
/// anew under a new name.
package struct ScheduledBackups: Sendable {
    /// How often, and how many stay.
    package struct Plan: Hashable, Sendable {
        /// Seconds from one to the next.
        package var every: Double
        /// 1 or more.
        package var keep: Int

        package init(every: Double, keep: Int) {
            self.every = every
            self.keep = keep
        }
    }

    package enum Event: Hashable, Sendable {
        case saved(BackupShelf.Saved)
        /// It is tried again.
        case failed(why: String)
        /// It was saved, and then something went wrong: older ones are still there, or the diary could not be written.
        case unfinished(why: String)
    }

    private let backup: HubBackup
    private let shelf: BackupShelf
    private let plan: Plan
    private let now: @Sendable () -> Date
    private let wait: @Sendable (Duration) async throws -> Void
    private let report: @Sendable (Event) -> Void

    /// How often it looks whether one is due: a machine that slept makes up for it soon after.
    package static let look = Duration.seconds(60)

    /// - Parameters:
    ///   - now: the clock on the wall.
    ///   - wait: sleeps; throws when the task is cancelled.
    package init(
        _ backup: HubBackup, to shelf: BackupShelf, plan: Plan, now: @escaping @Sendable () -> Date = { Date() },
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.backup = backup
        self.shelf = shelf
        self.plan = plan
        self.now = now
        self.wait = wait
        self.report = report
    }

    /// Runs until its task is cancelled. It waits before the first look, so that the hub is up before it is copied.
    package func run() async {
        var diary = BackupDiary(folder: backup.folder)
        while (try? await wait(Self.look)) != nil { await look(&diary) }
    }

    /// Makes one if it is due. What is in the diary holds also when that cannot be written.
    package func look(_ diary: inout BackupDiary) async {
        guard isDue(diary, at: now()) else { return }
        do throws(StoredBackupError) {
            let saved = try await shelf.save(backup)
            diary.last = BackupDiary.Entry(
                created: saved.name.created, name: saved.name.text, bytes: saved.bytes, place: shelf.place)
            diary.failure = nil
            report(.saved(saved))
            write(diary)
            await tidy(saved.name)
        } catch {
            if error.isCancellation { return }
            diary.failure = BackupDiary.Failure(
                at: now(), why: error.whatHappened, times: (diary.failure?.times ?? 0) + 1)
            report(.failed(why: error.description))
            write(diary)
        }
    }

    /// A clock that was set back, or ran ahead once, must not put the next one off.
    private func isDue(_ diary: BackupDiary, at now: Date) -> Bool {
        if let failure = diary.failure {
            return abs(now.timeIntervalSince(failure.at)) >= RetryPause.seconds(afterFailures: failure.times)
        }
        guard let last = diary.last, last.place == shelf.place else { return true }
        return abs(now.timeIntervalSince(last.created)) >= plan.every
    }

    private func write(_ diary: BackupDiary) {
        do throws(FileError) { try diary.write(to: backup.folder) } catch {
            report(.unfinished(why: "what was done cannot be written down: \(error.reason)"))
        }
    }

    private func tidy(_ latest: BackupName) async {
        do throws(StoredBackupError) { try await shelf.tidy(keeping: plan.keep, with: latest, at: now()) } catch {
            if !error.isCancellation {
                report(.unfinished(why: "older backups cannot be removed now: \(error.whatHappened)"))
            }
        }
    }
}
