import ChirpAudio
import ChirpCodecs

/// libFuzzer's entry: any bytes as the picture of a clip. It is refused, or a picture that can be read again comes out.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPictures(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    do throws(AudioError) {
        let cover = try CoverPicture(bytes, name: "fuzz")
        precondition(cover.jpeg.count <= CoverPicture.mostBytes && cover.jpeg.starts(with: [0xFF, 0xD8]))
    } catch {
        if case .library = error { preconditionFailure("\(error)") }
        precondition(!error.whatHappened.isEmpty)
    }
    return 0
}
