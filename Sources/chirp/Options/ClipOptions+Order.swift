import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCore
import FoundationEssentials
import Glibc

extension ClipOptions {
    /// The order for a clip of this source, with settings that ``apply(to:)`` has merged.
    func order(
        source: ClipSource, config: Config, maximumLength: LengthOfTime?, maximumBytes: Size?
    ) throws(AudioError) -> ClipOrder {
        var policy = EditPolicy()
        policy.trims = config.trim.value
        policy.normalises = config.normalise.value
        policy.target = LUFS(config.target.value)
        policy.maximumLength = maximumLength?.duration
        var order = ClipOrder(source: source, preset: config.preset.value, policy: policy)
        if let kbps = config.bitrate.value { order.settings.rate = .constant(kbps: kbps) }
        if let quality = config.vbr.value { order.settings.rate = .variable(quality: quality) }
        order.verifies = verify ?? true
        order.maximumBytes = maximumBytes?.count
        order.jobs = config.jobs.value ?? ProcessInfo.processInfo.activeProcessorCount
        let title = PlainText(title ?? "", limit: 200)
        order.tag.title = title.isEmpty ? nil : title.value
        order.tag.cover = try cover.map(Self.picture)
        return order
    }

    /// The most bytes of a picture that are read.
    private static let maximumPictureBytes = 2_000_000

    /// A JPEG or PNG file, known by its first bytes.
    private static func picture(at path: String) throws(AudioError) -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0, let data = FileManager.default.contents(atPath: path) else {
            throw .missing(path: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_size <= maximumPictureBytes else {
            throw .unsupported(name: path, reason: "a cover may have 2 MB")
        }
        let isJPEG = data.starts(with: [0xFF, 0xD8, 0xFF])
        let isPNG = data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        guard isJPEG || isPNG else { throw .undecodable(name: path, reason: "a cover is a JPEG or PNG picture") }
        return [UInt8](data)
    }
}
