internal import ChirpAudio
internal import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpJournal
internal import ChirpMP3

extension FleetJob {
    /// Larger recordings and clips need a root: in base64 with all around it, this stays below the usual limit of a message,
    /// which is 1 MiB.
    package static let largestInline = 512 << 10

    /// What makes it unfit to be worked on; nil for nothing. Records come from the network: every number meets its range
    /// before the engine sees it.
    package var defect: String? {
        if !hasPlace { return "its id is malformed" }
        if !(1...Self.newest).contains(v) {
            return "its version is \(v), and this worker understands \(Self.newest)"
        }
        if sha256.utf8.count != 64 || !QueueNames.isToken(sha256) { return "its digest is malformed" }
        if name.utf8.count > 16_384 { return "its name is too long" }
        if !(0...Int64(1) << 50).contains(bytes) { return "its size is out of range" }
        if case .inline(let data) = source, data.count > Self.largestInline { return "its recording is too large" }
        if case .file(let root, _) = source, !RootText.isName(root) { return "its root is malformed" }
        if case .folder(let root, let path) = target {
            // A record shall not be able to put files anywhere else.
            guard RootText.isName(root), path.parts.last?.elementsEqual(StagedName.folder.utf8) == true else {
                return "its target is no folder of drafts"
            }
        }
        return defectOfOrder
    }

    /// Whether a result can be addressed to its batch.
    var hasPlace: Bool { QueueNames.isToken(id.rawValue) && QueueNames.isToken(batch) }

    private var defectOfOrder: String? {
        let (policy, tag) = (order.policy, order.tag)
        switch order.settings.rate {
        case .constant(let kbps), .average(let kbps):
            if !(8...320).contains(kbps) { return "its rate is out of range" }
        case .variable(let quality): if !(0...9).contains(quality) { return "its quality is out of range" }
        }
        if order.jobs != 1 { return "its threads are not for it to choose" }
        if !(0...9).contains(order.settings.quality) { return "its effort is out of range" }
        if !(-50.0 ... -5.0).contains(policy.target.value) { return "its loudness is out of range" }
        if !(-20.0...0.0).contains(policy.ceiling.value) { return "its ceiling is out of range" }
        if let length = policy.maximumLength, !(.milliseconds(1) ... .seconds(86_400)).contains(length) {
            return "its length is out of range"
        }
        for edge in [policy.begin, policy.end].compactMap({ $0 })
        where !(.zero ... .seconds(1_000_000)).contains(edge) {
            return "its part is out of range"
        }
        for time in [policy.fade, policy.preRoll, policy.postRoll] where !(.zero ... .seconds(10)).contains(time) {
            return "its times are out of range"
        }
        if let most = order.maximumBytes, !(1...Int64(1) << 40).contains(most.bytes) {
            return "its size is out of range"
        }
        for text in [tag.title, tag.artist, tag.album, tag.comment, tag.link] {
            if let text, text.utf8.count > 10_000 || text.contains("\0") { return "its tags are malformed" }
        }
        if tag.cover != nil || !tag.chapters.isEmpty { return "its tags are malformed" }
        return nil
    }
}
