package import ChirpAudio
package import ChirpClips
package import ChirpJournal
package import FoundationEssentials

/// What has become of one job, as it travels: JSON of version 1.
package struct FleetResult: Codable, Hashable, Sendable {
    package var v = FleetJob.version
    package var id: JobID
    package var batch: String
    /// Who has done it.
    package var worker: String
    /// How often the job had been handed out by then, from 1.
    package var delivery: Int
    package var outcome: Outcome

    package enum Outcome: Codable, Hashable, Sendable {
        case made(Made)
        case failed(Fault)
    }

    package struct Made: Codable, Hashable, Sendable {
        package var receipt: Receipt
        package var unlimitedBytes: Int64?
        package var hasTags: Bool
        /// The name of the draft in the job's folder; nil when the clip is here.
        package var draft: String?
        package var clip: Data?

        package init(
            receipt: Receipt, unlimitedBytes: Int64?, hasTags: Bool, draft: String? = nil, clip: Data? = nil
        ) {
            self.receipt = receipt
            self.unlimitedBytes = unlimitedBytes
            self.hasTags = hasTags
            self.draft = draft
            self.clip = clip
        }
    }

    /// An error about the recording.
    package typealias Fault = AudioFault

    package init(id: JobID, batch: String, worker: String, delivery: Int, outcome: Outcome) {
        self.id = id
        self.batch = batch
        self.worker = worker
        self.delivery = delivery
        self.outcome = outcome
    }
}
