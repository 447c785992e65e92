internal import ChirpCore
public import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// What a sweep has removed.
    public struct SweepReport: Hashable, Sendable {
        /// The ids of clips that had expired.
        public var clips: [String] = []
        /// What those clips took.
        public var bytes: Int64 = 0
        /// Files of saves that were never completed.
        public var strays = 0
        /// Uploads that were never completed, or were refused.
        public var uploads = 0
    }

    /// The ids of clips whose time is over at an instant, and their bytes. Nothing is changed.
    public func expired(at instant: Date) async throws(LibraryError) -> [(id: String, bytes: Int64)] {
        let limit = Self.milliseconds(instant)
        return try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT id, bytes FROM clips WHERE expires <= ? ORDER BY expires, id", arguments: [limit]
            ).map { (id: $0["id"], bytes: $0["bytes"]) }
        }
    }

    /// Removes expired clips with their posts and files, and files that no row accounts for. May be repeated.
    public func sweep(at instant: Date) async throws(LibraryError) -> SweepReport {
        var report = SweepReport()
        for (id, bytes) in try await expired(at: instant) {
            guard let id = HubID(id) else { continue }
            try await remove(id)
            report.clips.append(id.text)
            report.bytes = (ByteCount(report.bytes) + ByteCount(bytes)).bytes
        }
        let limit = instant.addingTimeInterval(-Self.strayAge)
        let old = try await offPool { [media] () throws(LibraryError) in
            try media.files(writtenBefore: limit)
        }
        for path in old.temporary { await offPool { [media] in media.removeTemporary(path) } }
        report.strays += old.temporary.count
        for id in old.clips where try await clip(id) == nil {
            try await offPool { [media] () throws(LibraryError) in try media.remove(id) }
            report.strays += 1
        }
        report.uploads = try await sweepUploads(at: instant)
        report.strays += try await sweepUploadFiles(writtenBefore: limit)
        return report
    }
}
