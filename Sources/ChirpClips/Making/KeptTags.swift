internal import ChirpAudio
internal import ChirpCodecs
public import ChirpMP3

/// What a clip keeps of its recording's tags when that is wished: title, artist, album, comment and cover, nothing else.
public struct KeptTags: Sendable {
    public var tag = ID3Tag()
    /// What the user should know, such as a cover that could not be kept.
    public var notes: [Receipt.Note] = []

    public init() {}

    /// Blocking. What cannot be read is left out: ``prepare(_:progress:)`` is who complains about the recording.
    public init(of source: ClipSource) {
        guard let file = try? AudioFile(opening: source.path, name: source.name) else { return }
        let found = file.sourceTags
        tag = ID3Tag(title: found.title, artist: found.artist, album: found.album, comment: found.comment)
        guard let cover = found.cover else { return }
        do throws(AudioError) {
            tag.cover = try CoverPicture(cover, name: "cover of \(source.name)").jpeg
        } catch {
            notes.append(Receipt.Note(code: "cover-left-out", text: error.whatHappened))
        }
    }

    /// The request's tag, with what it does not say itself.
    public func filling(_ tag: ID3Tag) -> ID3Tag {
        var filled = tag
        filled.title = tag.title ?? self.tag.title
        filled.artist = tag.artist ?? self.tag.artist
        filled.album = tag.album ?? self.tag.album
        filled.comment = tag.comment ?? self.tag.comment
        filled.cover = tag.cover ?? self.tag.cover
        return filled
    }
}
