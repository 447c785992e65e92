package import ChirpAccounts
internal import ChirpDatabase
internal import FoundationEssentials
package import GRDB

/// All that a hub holds of one person, for her to take along: documents, and the clips that are hers.
///
/// What others wrote is not in it, also where she may read it: of theirs there are names and ids alone.
package struct PersonalExport: Sendable {
    /// A document in JSON, a picture, or what is read when its turn comes.
    package struct Document: Sendable {
        package enum Content: Sendable {
            case bytes([UInt8])
            /// In the library's database, and too much to hold all of its kind at once; nil: it has gone meanwhile.
            case row(@Sendable (Database) throws -> [UInt8]?)
            /// What a board keeps.
            case kept(KeptFile)
        }

        /// Of the member in the archive: printable ASCII, at most 100 bytes.
        package let name: String
        package let content: Content

        package init(name: String, _ content: Content) { (self.name, self.content) = (name, content) }

        init(name: String, bytes: [UInt8]) { self.init(name: name, .bytes(bytes)) }

        /// Empty for what is read when its turn comes.
        package var bytes: [UInt8] { if case .bytes(let bytes) = content { bytes } else { [] } }
    }

    package let documents: [Document]
    /// The clips whose sound belongs to it.
    package let clips: [HubID]
    /// The drafts whose recordings belong to it.
    package let drafts: [HubID]
    /// Her pictures, of which the largest file belongs to it.
    package let pictures: [HubID]
    /// Her films, of which the file that she has sent belongs to it.
    package let films: [HubID]

    init(of account: AccountID, isOwner: Bool, boards: [BoardTables], in database: Database) throws {
        let rows = PersonalRows(person: account, isOwner: isOwner, database: database)
        let clips = try rows.clips()
        let films = try rows.films()
        let portrait = try Portrait.of(account, in: database).map { Document(name: "picture.jpg", bytes: $0.jpeg) }
        documents =
            [
                try Self.document("account.json", rows.account()),
                try Self.document("posts.json", rows.posts()),
                try Self.document("clips.json", clips),
                try Self.document("drafts.json", rows.drafts()),
                try Self.document("people.json", rows.people()),
                try Self.document("federation.json", rows.federation()),
                try Self.document("marks.json", rows.marks()),
                try Self.document("notices.json", rows.notices()),
                try Self.document("listening.json", rows.listening()),
                try Self.document("frames.json", rows.frames()),
                try Self.document("pictures.json", rows.pictures()),
                try Self.document("films.json", films),
                try Self.document("items.json", rows.items()),
                try Self.document("item-marks.json", rows.itemMarks()),
                try Self.document("comments.json", rows.comments()),
                try Self.document("uploads.json", rows.uploads()),
                try Self.document("cases.json", rows.cases()),
                try Self.document("reports.json", rows.reports()),
            ] + (portrait.map { [$0] } ?? []) + (try rows.framePhotos())
            + (try boards.flatMap { try $0.personal(account, database) })
        self.clips = clips.compactMap { HubID($0.id) }
        drafts = try rows.drafts().compactMap { HubID($0.id) }
        pictures = try rows.pictures().compactMap { HubID($0.id) }
        self.films = films.filter { $0.state == HubFilm.State.ready.rawValue }.compactMap { HubID($0.id) }
    }

    /// A document in JSON.
    ///
    /// - Parameter name: of the member in the archive, as in `claims.json`.
    package static func document(_ name: String, _ content: some Encodable) throws -> Document {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return Document(name: name, bytes: Array(try encoder.encode(content)) + [10])
    }
}

extension HubLibrary {
    /// All that the library holds of somebody, as it is at one moment.
    package func export(of account: AccountID) async throws(LibraryError) -> PersonalExport {
        let isOwner = account == owner.id
        // All that an account has: no page waits for it, and few may ask (`ExportRoutes`).
        do {
            return try await ReadingLimit.$processorTime.withValue(nil) {
                try await readers.read(database) {
                    try PersonalExport(of: account, isOwner: isOwner, boards: boards, in: $0)
                }
            }
        } catch {
            throw libraryError(error)
        }
    }

    /// A document of an export; nil when it has gone meanwhile.
    package func content(of document: PersonalExport.Document) async throws(LibraryError) -> [UInt8]? {
        switch document.content {
        case .bytes(let bytes): bytes
        case .row(let reading): try await read(reading)
        case .kept: nil
        }
    }

    /// A file that a board keeps; nil when it has gone meanwhile. Blocks.
    package func file(of kept: KeptFile) -> MediaFile? { MediaFile("\(folder)/\(kept.path)") }

    /// The largest file of a picture of an export; nil when it has gone meanwhile. Blocks.
    package func largest(of picture: HubID) -> MediaFile? { MediaFile(pictures.file(picture, .large)) }

    /// A film of an export as it was sent; nil when it has gone meanwhile. Blocks.
    package func original(of film: HubID) -> MediaFile? { MediaFile(films.file(film, .original)) }

    /// The recording of a draft of an export; nil when it has gone meanwhile. Blocks.
    package func recording(of draft: HubID) -> MediaFile? { MediaFile(uploads.file(draft)) }
}
