package import ChirpClips
internal import ChirpCodecs
package import ChirpJournal
internal import ChirpMP3
package import FoundationEssentials

/// One clip to be made, as it travels: JSON of version 1, or 2 when the clip is a part that a person has chosen.
package struct FleetJob: Codable, Hashable, Sendable {
    /// Of results and of workers' signs of life.
    package static let version = 1
    /// The newest version of a job that this worker understands. A job has the lowest one that says it all, so that workers of earlier
    /// releases make what they can, and refuse a part, which they would make the whole of.
    package static let newest = 2

    package var v: Int
    /// Half the SHA-256 of content, settings, place and batch, so that the same work has the same name.
    package var id: JobID
    /// The folder of clips it is for, as its owner's journal names it.
    package var batch: String
    /// What people call the recording.
    package var name: String
    /// Lower-case hexadecimal SHA-256 of the recording, which must not be another one by then.
    package var sha256: String
    /// The size of the recording.
    package var bytes: Int64
    package var source: Source
    package var target: Target
    /// How to make it. Source, threads and cover are put in by who makes it.
    package var order: ClipRequest
    package var cover: Data?
    package var keepsTags: Bool

    /// Where the recording is.
    package enum Source: Codable, Hashable, Sendable {
        case file(root: String, path: FleetPath)
        /// In the message itself.
        case inline(Data)
    }

    /// Where the clip goes.
    package enum Target: Codable, Hashable, Sendable {
        /// Into a folder of drafts, from which the batch takes it.
        case folder(root: String, path: FleetPath)
        /// Into the message with the result.
        case inline
    }

    package init(
        id: JobID, batch: String, name: String, sha256: String, bytes: Int64, source: Source, target: Target,
        order: ClipRequest, keepsTags: Bool
    ) {
        self.id = id
        self.batch = batch
        self.name = name
        self.sha256 = sha256
        self.bytes = bytes
        self.source = source
        self.target = target
        var order = order
        order.source = ClipSource(path: "", name: "", sha256: "")
        order.jobs = 1
        cover = order.tag.cover.map { Data($0) }
        order.tag.cover = nil
        self.order = order
        v = order.policy.begin == nil && order.policy.end == nil ? 1 : 2
        self.keepsTags = keepsTags
    }
}
