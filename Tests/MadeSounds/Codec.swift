internal import ChirpTestKit
internal import Foundation

/// What a recording goes through before it is listened to.
package enum Codec: String, Sendable {
    case none, opus24, aac128, mp3

    /// Encodes and decodes by `ffmpeg`, mono.
    package func heard(_ samples: [Float], rate: Int) throws -> [Float] {
        guard self != .none else { return samples }
        let folder = try TemporaryFolder()
        let (plain, coded, again) = (
            folder.path("in.f32"), folder.path("coded.\(suffix)"), folder.path("out.f32")
        )
        try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: plain)) }
        let raw = ["-f", "f32le", "-ar", "\(rate)", "-ac", "1"]
        let quiet = ["-nostdin", "-hide_banner", "-loglevel", "error", "-y"]
        for step in [quiet + raw + ["-i", plain] + encoder + [coded], quiet + ["-i", coded] + raw + [again]] {
            let result = try ExternalProgram("ffmpeg").run(step)
            guard result.status == 0 else { throw CodecFailure(words: result.errors) }
        }
        let bytes = try Data(contentsOf: URL(filePath: again))
        return bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }
}

extension Codec {
    private var suffix: String {
        switch self {
        case .none, .opus24: "ogg"
        case .aac128: "m4a"
        case .mp3: "mp3"
        }
    }

    private var encoder: [String] {
        switch self {
        case .none: []
        case .opus24: ["-c:a", "libopus", "-b:a", "24k"]
        case .aac128: ["-c:a", "aac", "-b:a", "128k"]
        case .mp3: ["-c:a", "libmp3lame", "-b:a", "32k"]
        }
    }
}

/// `ffmpeg` did not do it.
package struct CodecFailure: Error, CustomStringConvertible {
    var words: String
    package var description: String { "ffmpeg: \(words)" }
}
