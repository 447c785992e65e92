package import ChirpAudio

/// Takes an encoder's stream apart and puts it together again: the identity, when ``MP3Reservoir`` knows LAME's rules.
/// For tests.
///
/// - Returns: nil when LAME did something unknown.
package func repacked(_ stream: [UInt8], format: AudioFormat, settings: MP3Settings, version: String) -> [UInt8]? {
    var follower = MP3FrameFollower(format: format, settings: settings)
    var packer = MP3FramePacker(format: format, settings: settings, version: version)
    var contents: [MP3FrameContent] = []
    var bytes: [UInt8] = []
    guard follower.add(stream.span, to: &contents) else { return nil }
    for content in contents { guard packer.add(content, to: &bytes) else { return nil } }
    packer.finish(to: &bytes)
    return bytes
}
