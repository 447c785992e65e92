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
        /// Uploads that were never completed, or were refused, and drafts that were given up.
        public var uploads = 0
        /// Clips that members have sent and never let anybody hear.
        public var unheard = 0
        /// What was remembered of uploads that ended long ago.
        public var forgotten = 0
        /// Things on boards whose time was over.
        public var items = 0
        /// Pictures that nothing used any more.
        public var pictures = 0
        /// Things on boards that stand elsewhere in lists by votes.
        public var ranks = 0
        /// Films that nothing used any more.
        public var films = 0
    }

    /// For so many seconds a member's clip waits for its first post, or for its link to be shared.
    package static let unheardPatience = 7 * 24 * 3600.0
    /// For so many seconds it is remembered what became of an upload.
    package static let uploadMemory = 30 * 24 * 3600.0

    /// The ids of clips whose time is over at an instant, and their bytes. Nothing is changed.
    public func expired(at instant: Date) async throws(LibraryError) -> [(id: String, bytes: Int64)] {
        let limit = Self.milliseconds(instant)
        return try await read { database in
            try Row.fetchAll(
                database.cachedStatement(sql: "SELECT id, bytes FROM clips WHERE expires <= ? ORDER BY expires, id"),
                arguments: [limit]
            ).map { (id: $0["id"], bytes: $0["bytes"]) }
        }
    }

    /// Removes expired clips with their posts and files, members' clips that nobody was ever to hear, and files that no row accounts
    /// for, such as those of an account that was deleted. May be repeated, also while another process sweeps.
    public func sweep(at instant: Date) async throws(LibraryError) -> SweepReport {
        var report = SweepReport()
        for (id, bytes) in try await expired(at: instant) {
            guard let id = HubID(id) else { continue }
            try await remove(id)
            report.clips.append(id.text)
            report.bytes = (ByteCount(report.bytes) + ByteCount(bytes)).bytes
        }
        report.unheard = try await sweepUnheard(at: instant)
        let limit = instant.addingTimeInterval(-Self.strayAge)
        let old = try await offPool { [media] () throws(LibraryError) in
            try media.files(writtenBefore: limit)
        }
        for path in old.temporary { await offPool { [media] in media.removeTemporary(path) } }
        report.strays += old.temporary.count
        for id in old.clips where try await unfilteredClip(id) == nil {
            guard try await !isTake(id) else { continue }
            try await offPool { [media] () throws(LibraryError) in try media.remove(id) }
            report.strays += 1
        }
        report.uploads = try await sweepUploads(at: instant) + sweepDrafts(at: instant)
        report.strays += try await sweepUploadFiles(writtenBefore: limit)
        report.forgotten = try await forgetUploads(at: instant)
        try await ListeningStore(self).sweep(at: instant)
        report.items = try await sweepItems(at: instant)
        // Behind the items: those that went leave their pictures unused.
        let pictures = try await sweepPictures(at: instant)
        report.pictures = pictures.pictures
        report.strays += pictures.strays
        let films = try await sweepFilms(at: instant)
        report.films = films.films
        report.strays += films.strays
        report.strays += try await sweepKept(at: instant)
        try await forgetErasedWords()
        try await sweepFederation()
        report.ranks = try await sweepVotes(at: instant)
        return report
    }

    /// Removes clips of members that nothing uses and that have no link which was shared. Whether something does is asked by the statement that
    /// removes them, so that a post that is made meanwhile keeps its clip.
    private func sweepUnheard(at instant: Date) async throws(LibraryError) -> Int {
        let limit = Self.milliseconds(instant.addingTimeInterval(-Self.unheardPatience))
        let ids = try await write { database in
            let isUnused = try self.isUnused(database)
            return try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        DELETE FROM clips WHERE owner IS NOT NULL AND shared = 0 AND created <= ? AND \(isUnused)
                        RETURNING id
                        """), arguments: [limit])
        }
        // The rows first, as with every clip: a file that is left behind is swept.
        for id in ids.compactMap({ HubID($0) }) {
            try await offPool { [media] () throws(LibraryError) in try media.remove(id) }
        }
        return ids.count
    }
}
