package import ChirpAudio
internal import ChirpClips
package import ChirpFlows
package import FoundationEssentials

/// What a child is asked to do with the files that come beside the request.
package enum IntakeWork: Codable, Hashable, Sendable {
    /// Decode the first file to its end and measure it.
    case hear(name: String, longestSeconds: Double)
    /// Decode the first file into the second, a pipe: interleaved samples, 32-bit, in the processor's order.
    case decode(name: String, longestSeconds: Double)
    /// Make a clip of the first file in the second.
    case transcode(Transcoding)
    /// Make the picture of a person of the first file.
    case portray(name: String)
    /// Make a photo for a screen of the first file.
    case fillScreen(name: String)

    /// Whose fault it is, for messages.
    var name: String {
        switch self {
        case .hear(let name, _), .decode(let name, _), .portray(let name), .fillScreen(let name): name
        case .transcode(let making): making.request.source.name
        }
    }
}

/// What a child says. One of the last five ends the work.
package enum IntakeReply: Codable, Hashable, Sendable {
    /// The pipe holds samples of this format.
    case opened(sampleRate: Int, channels: Int)
    case heard(ClipFacts)
    case decoded(frames: Int)
    case made(Transcoding.Made)
    /// A JPEG file.
    case portrayed(Data)
    case failed(AudioFault)
}
