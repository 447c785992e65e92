package import ChirpAudio
package import ChirpClips
package import FoundationEssentials

/// What has become of one job, as it travels: JSON of version 1.
package struct FleetResult: Codable, Hashable, Sendable {
    package var v = FleetJob.version
    package var id: String
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
    }

    /// An error about the recording.
    package struct Fault: Codable, Hashable, Sendable {
        private enum Kind: String, Codable {
            case missing, undecodable, nothingToHear, unsupported, settings, uncreatable, inputOutput, library
        }

        private var kind: Kind
        private var name: String
        private var reason: String

        package init(_ error: AudioError) {
            switch error {
            case .missing(let path, let why): (kind, name, reason) = (.missing, path, why)
            case .undecodable(let path, let why, _): (kind, name, reason) = (.undecodable, path, why)
            case .nothingToHear(let path, let why): (kind, name, reason) = (.nothingToHear, path, why)
            case .unsupported(let path, let why): (kind, name, reason) = (.unsupported, path, why)
            case .settings(let why): (kind, name, reason) = (.settings, "", why)
            case .uncreatable(let path, let why): (kind, name, reason) = (.uncreatable, path, why)
            case .inputOutput(let path, let why): (kind, name, reason) = (.inputOutput, path, why)
            case .library(let path, let code): (kind, name, reason) = (.library, path, "\(code)")
            case .cancelled: (kind, name, reason) = (.inputOutput, "", "the worker was stopped")
            }
        }

        package var error: AudioError {
            switch kind {
            case .missing: .missing(path: name, reason: reason)
            case .undecodable: .undecodable(name: name, reason: reason)
            case .nothingToHear: .nothingToHear(name: name, reason: reason)
            case .unsupported: .unsupported(name: name, reason: reason)
            case .settings: .settings(reason)
            case .uncreatable: .uncreatable(path: name, reason: reason)
            case .inputOutput: .inputOutput(path: name, reason: reason)
            case .library: .library(name: name, code: Int(reason) ?? 0)
            }
        }
    }

    package init(id: String, batch: String, worker: String, delivery: Int, outcome: Outcome) {
        self.id = id
        self.batch = batch
        self.worker = worker
        self.delivery = delivery
        self.outcome = outcome
    }
}
