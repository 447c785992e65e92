import ChirpCommands
import ChirpCore
import ChirpOwnHub
import FoundationEssentials
import Glibc

/// Whether the hub is backed up as often as it is meant to be. Only what was written down is looked at, not the store.
enum BackupCheck {
    static func findings(folder: String, config: Config, now: Date = Date()) -> [Finding] {
        guard let store = config.hubBackupStore.value, !config.hubStaging.value,
            access("\(folder)/hub.sqlite", F_OK) == 0
        else { return [] }
        let (diary, cure) = (BackupDiary(folder: folder), "Run: chirp hub backup --store \(store.rawValue)")
        guard let last = diary.last else {
            guard let failure = diary.failure else {
                return [.note("backup", "none yet", cure: "The first is made when the hub is served: chirp serve")]
            }
            return [.problem("backup", "there is none: \(PlainText(failure.why, limit: 300))", cure: cure)]
        }
        let what = "\(PlainText(last.name, limit: 60)), \(ByteCount(last.bytes))"
        guard now.timeIntervalSince(last.created) > 2 * config.hubBackupEvery.value.seconds else {
            return [.ok("backup", "\(what) in \(PlainText(last.place, limit: 200))")]
        }
        let why = diary.failure.map { ": \(PlainText($0.why, limit: 300))" } ?? ", the hub is not served"
        return [.problem("backup", "the last one is \(what)\(why)", cure: cure)]
    }
}
