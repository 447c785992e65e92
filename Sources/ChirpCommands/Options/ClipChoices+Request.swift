package import ChirpAudio
package import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import ChirpMP3
internal import FoundationEssentials
internal import Glibc

extension ClipChoices {
    /// The request for a clip of this source, with settings that ``apply(to:)`` has merged.
    package func request(
        source: ClipSource, config: Config, maximumLength: LengthOfTime?, maximumBytes: Size?
    ) throws(AudioError) -> ClipRequest {
        var policy = EditPolicy()
        policy.trims = config.trim.value
        policy.normalises = config.normalise.value
        policy.target = LUFS(config.target.value)
        policy.maximumLength = maximumLength?.duration
        (policy.begin, policy.end) = (begin?.duration, end?.duration)
        var request = ClipRequest(source: source, preset: config.preset.value, policy: policy)
        if let kbps = config.bitrate.value { request.settings.rate = .constant(kbps: kbps) }
        if let quality = config.vbr.value { request.settings.rate = .variable(quality: quality) }
        request.verifies = verify ?? true
        request.maximumBytes = maximumBytes?.count
        request.jobs = config.jobs.value ?? ProcessInfo.processInfo.activeProcessorCount
        let title = PlainText(title ?? "", limit: 200)
        request.tag.title = title.isEmpty ? nil : title.value
        request.tag.cover = try cover.map(Self.picture)
        return request
    }

    /// A JPEG or PNG file, known by its first bytes, as a clip carries it.
    private static func picture(at path: String) throws(AudioError) -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .missing(path: path, reason: .system(.current))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unsupported(name: path, reason: "a cover is a file")
        }
        guard status.st_size <= CoverPicture.mostSourceBytes else {
            throw .unsupported(name: path, reason: "a cover may have 20 MB")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .missing(path: path, reason: .system(.current))
        }
        return try CoverPicture([UInt8](data), name: path).jpeg
    }
}
