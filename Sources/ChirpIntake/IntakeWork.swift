package import ChirpAudio
package import ChirpClips
package import ChirpCodecs
package import ChirpFlows
package import ChirpMusic
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
    /// Make the pictures of a thing of the first file.
    case picture(name: String)
    /// Make what is shown of a film, of the files that the child was started with.
    ///
    /// - Parameter timer: where in the film a timer begins, in ms; nil for none.
    case film(name: String, timer: Int?)
    /// Listen to the first file, which is the sound of an attempt.
    case listen(name: String, question: SoundFindings.Question)
    /// Listen to the first file, which is the master of a track.
    case hearMaster(name: String)
    /// Make the preview of the first file in the second, with the third over it if there is one.
    case preview(name: String, wishes: PreviewWishes)
    /// Take the sum of all other files away from the first.
    case checkStems(name: String)
    /// Find out where the first file, perhaps a copy of a preview, lies in the second, a master, and when the third, a voice, speaks in it.
    case trace(name: String)

    /// Whose fault it is, for messages.
    var name: String {
        switch self {
        case .hear(let name, _), .decode(let name, _), .portray(let name), .fillScreen(let name),
            .picture(let name), .film(let name, _), .listen(let name, _), .hearMaster(let name),
            .preview(let name, _), .checkStems(let name), .trace(let name):
            name
        case .transcode(let making): making.request.source.name
        }
    }
}

/// What a child says. All but the first end the work.
package enum IntakeReply: Codable, Hashable, Sendable {
    /// The pipe holds samples of this format.
    case opened(sampleRate: Int, channels: Int)
    case heard(ClipFacts)
    case decoded(frames: Int)
    case made(Transcoding.Made)
    /// A JPEG file.
    case portrayed(Data)
    case pictured(Pictured)
    case filmed(FilmFacts)
    case listened(SoundFindings)
    case heardMaster(MasterFacts)
    case previewed(PreviewFacts)
    case checkedStems(StemFindings)
    case traced(TaggedLeak)
    case failed(AudioFault)
}

/// The pictures of a thing, as a child sends them.
package struct Pictured: Codable, Hashable, Sendable {
    struct File: Codable, Hashable, Sendable {
        let jpeg: Data
        let width, height: Int
    }

    let files: [File]
    let print: [UInt8]
    let quality: Int

    init(_ picture: ItemPicture) {
        files = picture.files.map { File(jpeg: Data($0.jpeg), width: $0.width, height: $0.height) }
        print = picture.print
        quality = picture.quality
    }

    /// Nil for what no child of ours can have made.
    var picture: ItemPicture? {
        ItemPicture(
            files: files.map { ItemPicture.File(jpeg: Array($0.jpeg), width: $0.width, height: $0.height) },
            print: print, quality: quality)
    }
}
