internal import ChirpCore
internal import GRDB

extension HubReader {
    /// What an id leads to.
    package enum Found: Hashable, Sendable {
        case clip(HubClip)
        /// There was one; it was removed or has expired.
        case gone
        /// There never was one, or this viewer may not see it.
        case nothing
    }

    /// What the link of a clip leads to.
    package func find(_ id: HubID) async throws(LibraryError) -> Found {
        let (condition, arguments) = visibleClips
        let now = HubLibrary.milliseconds(library.now())
        return try await library.read { database in
            let columns = HubLibrary.clipColumns(of: "clips")
            let row = try Row.fetchOne(
                database, sql: "SELECT \(columns) FROM clips WHERE id = ? AND \(condition)",
                arguments: [id.text] + arguments
            )
            if let clip = row.flatMap(HubClip.init) { return .clip(clip) }
            let isGone = try Bool.fetchOne(
                database,
                sql: "SELECT 1 FROM gone WHERE id = ? UNION SELECT 1 FROM clips WHERE id = ? AND expires <= ?",
                arguments: [id.text, id.text, now])
            return isGone == true ? .gone : .nothing
        }
    }

    /// The bytes of a clip that was found; nil when its file is not there.
    package func open(_ clip: HubClip) async -> MediaFile? {
        await offPool { [media = library.media] in MediaFile(media.file(clip.id)) }
    }
}
