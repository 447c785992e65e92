@testable import ChirpCodecs
import ChirpMP3

/// libFuzzer's entry: any bytes as an ID3 tag of each version, as Vorbis comments, as a FLAC picture. What comes out must be text
/// that is safe to write, and a tag of it must be readable again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTags(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    var tags: [ID3Tag] = []
    // The header's version and flags come from the input, its size does not matter.
    let choice = bytes.first ?? 0
    for version in [2, 3, 4, choice >> 4] as [UInt8] {
        let flags = bytes.dropFirst().first ?? 0
        guard let header = ID3Header(Array("ID3".utf8) + [version, 0, flags, 0, 0, 0, 0]) else { continue }
        tags.append(ID3Reader(header: header, body: Array(bytes.dropFirst(2))).tag)
    }
    var tag = ID3Tag()
    VorbisComments.read(bytes[...], into: &tag)
    VorbisComments.takePicture(bytes.dropFirst(), into: &tag)
    tags.append(tag)
    for encoding in 0...4 as ClosedRange<UInt8> {
        tags.append(ID3Tag(title: TagText.decode(bytes[...], encoding: encoding)))
    }
    for tag in tags {
        for text in [tag.title, tag.artist, tag.album, tag.comment] {
            precondition(text.map { !$0.isEmpty && $0.count <= TagText.longest && !$0.contains("\0") } ?? true)
        }
        let encoded = tag.encoded()
        guard !encoded.isEmpty else { continue }
        guard let header = ID3Header(encoded) else { preconditionFailure("the tag that was written is none") }
        let again = ID3Reader(header: header, body: Array(encoded.dropFirst(ID3Header.byteCount))).tag
        precondition(again.cover == tag.cover)
    }
    return 0
}
