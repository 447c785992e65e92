import ChirpFlows
import FoundationEssentials

/// A take as `--json` shows it.
struct TakeDocument: Encodable {
    let id: String
    let path: String
    let seconds: Double
    let bytes: Int64
    let recorded: Date
    /// Where it was published; absent when it was not.
    let link: String?

    init(_ take: Take) {
        id = take.id
        path = take.path
        seconds = take.seconds
        bytes = take.bytes
        recorded = take.recorded
        link = take.link
    }
}
