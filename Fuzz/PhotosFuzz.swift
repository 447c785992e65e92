import ChirpAudio
import ChirpCodecs

/// libFuzzer's entry: any bytes as the picture of something that is listed, as the child reads it. It is refused in words, or becomes
/// three JPEGs that the server, which decodes nothing, takes from the child.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPhotos(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    do throws(AudioError) {
        let made = try ItemPicture(bytes, name: "fuzz")
        guard let taken = ItemPicture(files: made.files, print: made.print, quality: made.quality), taken == made else {
            preconditionFailure("what the child makes is not what the server takes")
        }
    } catch {
        if case .library = error { preconditionFailure("\(error)") }
        precondition(!error.whatHappened.isEmpty)
    }
    return 0
}
