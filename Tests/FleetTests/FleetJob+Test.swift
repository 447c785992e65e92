import ChirpClips
import ChirpFleet
import ChirpJournal
import Foundation

extension FleetJob {
    /// A job with nothing special about it.
    static func sample(
        _ number: Int, batch: String = "batch00000", source: Source = .inline(Data([1, 2, 3]))
    ) -> FleetJob {
        let id = String(repeating: "0", count: 32 - "\(number)".count) + "\(number)"
        return FleetJob(
            id: JobID(rawValue: id), batch: batch, name: "take-\(number).wav",
            sha256: String(repeating: "a", count: 64), bytes: 3,
            source: source,
            target: .inline, order: ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice),
            keepsTags: false)
    }
}
