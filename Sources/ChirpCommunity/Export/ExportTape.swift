internal import ChirpCore
package import FoundationEssentials

/// An export as a tar archive, piece by piece: nothing of it is written to the disk.
package struct ExportTape: Sendable {
    private let library: HubLibrary
    private let seconds: Int64
    private var documents: ArraySlice<PersonalExport.Document>
    private var clips: ArraySlice<HubID>
    private var drafts: ArraySlice<HubID>
    private var pictures: ArraySlice<HubID>
    private var films: ArraySlice<HubID>
    private var current: (file: MediaFile, offset: Int64)?
    private var isEnded = false

    /// How much of a clip is in memory.
    private static let block = 1 << 16

    package init(_ export: PersonalExport, library: HubLibrary, at instant: Date) {
        self.library = library
        seconds = HubLibrary.milliseconds(instant) / 1000
        documents = export.documents[...]
        clips = export.clips[...]
        drafts = export.drafts[...]
        pictures = export.pictures[...]
        films = export.films[...]
    }

    /// The next piece of the archive; nil behind its end. A clip that has gone since is not in it.
    ///
    /// - Throws: ``LibraryError/inputOutput(path:reason:)`` for a file that cannot be read to its end.
    package mutating func next() async throws(LibraryError) -> ArraySlice<UInt8>? {
        if let (file, offset) = current { return try await piece(of: file, at: offset) }
        while let document = documents.popFirst() {
            if case .kept(let kept) = document.content {
                guard let file = await offPool({ [library] in library.file(of: kept) }) else { continue }
                current = (file, 0)
                return header(document.name, file.size)[...]
            }
            guard let content = try await library.content(of: document) else { continue }
            let bytes = Int64(content.count)
            return (header(document.name, bytes) + content + Self.padding(after: bytes))[...]
        }
        while let clip = clips.popFirst() {
            let file: MediaFile
            switch await library.sound(of: clip) {
            case .here(let found): file = found
            case .missing: continue
            case .away:
                throw .inputOutput(path: "a clip's file", reason: "it is kept elsewhere and cannot be had now")
            }
            current = (file, 0)
            return header("media/\(clip.text).mp3", file.size)[...]
        }
        while let draft = drafts.popFirst() {
            guard let file = await offPool({ [library] in library.recording(of: draft) }) else { continue }
            current = (file, 0)
            return header("drafts/\(draft.text).wav", file.size)[...]
        }
        while let picture = pictures.popFirst() {
            guard let file = await offPool({ [library] in library.largest(of: picture) }) else { continue }
            current = (file, 0)
            return header("pictures/\(picture.text).jpg", file.size)[...]
        }
        while let film = films.popFirst() {
            guard let file = await offPool({ [library] in library.original(of: film) }) else { continue }
            current = (file, 0)
            return header("films/\(FilmFolder.name(film, .original))", file.size)[...]
        }
        guard !isEnded else { return nil }
        isEnded = true
        return [UInt8](repeating: 0, count: 2 * TapeHeader.blockBytes)[...]
    }

    private mutating func piece(of file: MediaFile, at offset: Int64) async throws(LibraryError) -> ArraySlice<UInt8> {
        guard offset < file.size else {
            current = nil
            return Self.padding(after: file.size)[...]
        }
        let count = Int(min(Int64(Self.block), file.size - offset))
        guard let piece = await offPool({ file.read(at: offset, count: count) }) else {
            throw .inputOutput(path: "a clip's file", reason: "it ends at \(offset), before its length")
        }
        current = (file, offset + Int64(piece.count))
        return piece
    }

    private func header(_ name: String, _ bytes: Int64) -> [UInt8] {
        TapeHeader(name: name, bytes: bytes, time: seconds).block
    }

    private static func padding(after bytes: Int64) -> [UInt8] {
        [UInt8](repeating: 0, count: TapeHeader.padding(after: bytes))
    }
}
