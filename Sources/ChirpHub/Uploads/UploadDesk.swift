internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Takes uploads into the library: who may send how much, where the bytes go, and what happens behind the last one.
struct UploadDesk: Tus.Desk {
    let library: HubLibrary
    let quota: ByteCount
    let work: MediaWork

    var largest: Int64 { quota.bytes }

    /// What senders of programs say: `use` (`clip`, `keep`, `film` or `track`), `timer` (of a film: where the timer begins in the shown copy, in
    /// milliseconds), `id`, `title`, `filename`, `filetype`, `sha256`, `expires` in
    /// milliseconds since 1970, `description`, `draft` (`1`: it stays until it is published or deleted).
    func begin(_ metadata: TusMetadata, length: Int64?, by person: Person) async throws -> Tus.Upload {
        var wishes = MediaItem.Wishes()
        wishes.film = try film(metadata, length: length)
        let use = wishes.film == nil ? metadata["use"] ?? "clip" : "clip"
        guard let kind = MediaItem.Kind(rawValue: use) else { throw Self.odd("use") }
        wishes.kind = kind
        wishes.title = PlainText(metadata["title"] ?? "", limit: 300).value
        wishes.fileName = PlainText(metadata["filename"] ?? metadata["name"] ?? "", limit: 200).value
        wishes.type = PlainText(metadata["filetype"] ?? metadata["type"] ?? "", limit: 100).value
        wishes.description = PlainText(metadata["description"] ?? "", limit: Self.longestDescription).value
        wishes.metadata = metadata.text
        wishes.isDraft = metadata["draft"] == "1"
        guard !wishes.isDraft || kind == .clip && wishes.film == nil else { throw Self.odd("draft") }
        if kind == .keep, let text = metadata["id"] {
            guard let id = HubID(text) else { throw Self.odd("id") }
            wishes.clip = id
        }
        if let text = metadata["sha256"] {
            guard text.utf8.count == 64, text.utf8.allSatisfy({ Array("0123456789abcdef".utf8).contains($0) }) else {
                throw Self.odd("sha256")
            }
            wishes.sha256 = text
        }
        if let text = metadata["expires"] {
            guard let milliseconds = text.safeInteger, milliseconds > Accounts.milliseconds(library.now()) else {
                throw Self.odd("expires")
            }
            wishes.lasting = Accounts.date(milliseconds)
        }
        return try await upload(try await begin(wishes, length: length, by: person))
    }

    static let longestDescription = 1500

    /// What is wanted of a film; nil: it is none.
    private func film(_ metadata: TusMetadata, length: Int64?) throws -> MediaItem.Film? {
        if metadata["use"] == "track" { return try track(length: length) }
        guard metadata["use"] == "film" else { return nil }
        guard work.films != nil else {
            throw Problem(
                .unprocessableContent, "films-off", "This hub takes no video",
                detail: "What reads it is not installed; sound alone is taken")
        }
        guard let length, length > 0 else { throw Self.odd("length") }
        guard length <= FilmIntake.mostBytes else {
            throw Problem(
                .contentTooLarge, "too-large", "A video may have \(FilmIntake.mostBytes / 1_000_000) MB")
        }
        guard let text = metadata["timer"] else { return MediaItem.Film(timer: nil) }
        guard let timer = text.integer(in: 0...180_000) else { throw Self.odd("timer") }
        return MediaItem.Film(timer: timer)
    }

    /// A track is as large as the hub's owner allows.
    private func track(length: Int64?) throws -> MediaItem.Film {
        guard work.tracks != nil else {
            throw Problem(
                .unprocessableContent, "tracks-off", "This hub takes no tracks", detail: "Nothing listens to them here")
        }
        guard let length, length > 0 else { throw Self.odd("length") }
        let most = work.trackLimits.mostBytes
        guard length <= most else {
            throw Problem(.contentTooLarge, "too-large", "A track may have \(most / 1_000_000) MB")
        }
        return MediaItem.Film(timer: nil, isTrack: true)
    }

    /// Begins one; an empty one is complete.
    func begin(_ wishes: MediaItem.Wishes, length: Int64?, by person: Person) async throws -> MediaItem {
        do throws(UploadRefusal) {
            let item = try await library.beginUpload(
                wishes, bytes: length, of: AccountID(rawValue: person.id), quota: quota)
            if length == 0, try await library.completeUpload(item.id) { work.take(item.id, of: item.owner) }
            return item
        } catch {
            throw Self.problem(error)
        }
    }

    func find(_ id: String, of person: Person) async throws -> Tus.Upload {
        try await upload(try await item(id, of: person))
    }

    /// - Throws: 404 for others' too.
    func item(_ id: String, of person: Person) async throws -> MediaItem {
        guard let id = HubID(id),
            let item = try await library.mediaItem(id, of: AccountID(rawValue: person.id))
        else { throw Self.problem(.nothing) }
        return item
    }

    private func upload(_ item: MediaItem) async throws -> Tus.Upload {
        guard let offset = await library.received(item) else { throw Self.problem(.nothing) }
        return Tus.Upload(
            id: item.id.text, offset: offset, length: item.bytes, metadata: item.wishes.metadata,
            expires: item.state == .receiving ? item.expires.map(HTTPDate.text) : nil)
    }

    func announce(_ length: Int64, for upload: Tus.Upload, of person: Person) async throws -> Tus.Upload {
        let item = try await item(upload.id, of: person)
        do throws(UploadRefusal) {
            let after = try await library.announce(length, received: upload.offset, of: item, quota: quota)
            var upload = upload
            upload.length = after.bytes
            return upload
        } catch {
            throw Self.problem(error)
        }
    }

    func write(_ upload: Tus.Upload, of person: Person, isToBeChecked: Bool) async throws -> UploadWriting {
        let item = try await item(upload.id, of: person)
        return try await write(item, at: upload.offset, isToBeChecked: isToBeChecked)
    }

    func write(_ item: MediaItem, at offset: Int64, isToBeChecked: Bool) async throws -> UploadWriting {
        do throws(UploadRefusal) {
            let file = try await library.openUpload(item, at: offset, isToBeChecked: isToBeChecked)
            return UploadWriting(desk: self, item: item, file: file, isChecked: isToBeChecked)
        } catch {
            throw Self.problem(error)
        }
    }

    func remove(_ id: String, of person: Person) async throws {
        let item = try await item(id, of: person)
        do throws(UploadRefusal) {
            guard try await library.removeUpload(item.id, of: item.owner) else {
                throw UploadRefusal.taken
            }
            work.drop(item.id)
        } catch {
            throw Self.problem(error)
        }
    }

    static func problem(_ refusal: UploadRefusal) -> Problem {
        switch refusal {
        case .overQuota(let limit, let free):
            Problem(
                .contentTooLarge, "over-quota", "This is more than your share of the room",
                detail: "Each account has \(limit); \(free) of yours are left")
        case .noRoom, .library(.noSpace):
            Problem(
                HTTPResponse.Status(code: 507), "no-room", "The hub has no room left",
                detail: "Nothing received was lost")
        case .nothing: Problem(.notFound, "no-upload", "There is no such upload")
        case .elsewhere(let offset):
            Problem(.conflict, "offset", "The upload is somewhere else", detail: "\(offset) bytes are here")
        case .notAsAnnounced:
            Problem(.badRequest, "not-as-announced", "The length does not agree with what was announced or received")
        case .taken: Problem(.conflict, "taken", "A clip has this id")
        case .tooMany(let most):
            Problem(
                .tooManyRequests, "too-many-uploads", "Too many uploads of this account have not ended",
                detail: "An account has \(most) of them at most; send the others to their end, or delete them",
                retryAfter: 60)
        case .library(.busy):
            Problem(.serviceUnavailable, "busy", "The hub is busy", retryAfter: 2)
        case .library(let error):
            Problem(
                .internalServerError, "storage", "The hub cannot store this",
                detail: error.exitCode.rawValue.description)
        }
    }

    private static func odd(_ name: String) -> Problem {
        Problem(.badRequest, "not-understood", "Upload-Metadata is not understood", fields: [name: "cannot be that"])
    }
}

/// An upload that is written on. One request has it at a time.
actor UploadWriting: Tus.Writing {
    private let desk: UploadDesk
    private let item: MediaItem
    private let file: UploadFile
    private let isChecked: Bool
    private var position: Int64
    /// How far there is certainly room for an upload whose length nobody knows.
    private var secured: Int64

    /// The room of one whose length nobody knows grows by so much.
    private static let step: Int64 = 8_000_000

    init(desk: UploadDesk, item: MediaItem, file: UploadFile, isChecked: Bool) {
        self.desk = desk
        self.item = item
        self.file = file
        self.isChecked = isChecked
        position = file.offset
        secured = 0
    }

    func write(_ pieces: [ByteBuffer]) async throws {
        let count = pieces.reduce(0) { $0 + Int64($1.readableBytes) }
        if item.bytes == nil, position + count > secured { try await secure(position + count) }
        do throws(LibraryError) {
            try await offPool { [file, position] () throws(LibraryError) in
                for piece in pieces {
                    let failure = piece.withUnsafeReadableBytes { bytes -> LibraryError? in
                        do throws(LibraryError) {
                            try file.write(bytes)
                            return nil
                        } catch {
                            return error
                        }
                    }
                    if let failure { throw failure }
                }
                file.hurry(from: position, count: count)
            }
        } catch {
            throw UploadDesk.problem(.library(error))
        }
        position += count
    }

    private func secure(_ end: Int64) async throws {
        do throws(UploadRefusal) {
            let wanted = (end / Self.step + 1) * Self.step
            do throws(UploadRefusal) {
                try await desk.library.secure(wanted, of: item, quota: desk.quota)
                secured = wanted
            } catch .overQuota(_, _) {
                try await desk.library.secure(end, of: item, quota: desk.quota)
                secured = end
            }
        } catch {
            throw UploadDesk.problem(error)
        }
    }

    func end(keepsAll: Bool) async throws -> Tus.Upload {
        do throws(UploadRefusal) {
            try await desk.library.endUpload(file, of: item, isChecked: isChecked, keepsAll: keepsAll)
            if try await desk.library.completeUpload(item.id) { desk.work.take(item.id, of: item.owner) }
        } catch {
            throw UploadDesk.problem(error)
        }
        return try await desk.find(item.id.text, of: Person(id: item.owner.rawValue))
    }
}

extension Person {
    /// Somebody of whom only the account matters.
    fileprivate init(id: String) { self.init(id: id, handle: "", role: .member, isActive: true) }
}
