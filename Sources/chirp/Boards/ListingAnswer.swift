import ChirpCore
import ChirpNetworks

/// What `chirp board lost-and-found` answers to programs.
struct ListingAnswer: Encodable {
    let v = 1
    let event = "result"
    let exit: Int32 = 0
    var listing: HubListing?
    var listings: [HubListing]?
    /// Give it to `--after` for the next page.
    var next: String?
}

extension HubListing {
    /// A line for people: side, title, where, when, and the link below.
    var lines: [String] {
        let what = PlainText(title, limit: 100).value
        let around = place?.name.map { ", \(PlainText($0, limit: 120))" } ?? ""
        let voice = clip.map { $0.seconds.map { ", spoken \(Int($0.rounded())) s" } ?? ", spoken" } ?? ""
        let ended = state == "open" ? "" : " (\(PlainText(outcome ?? state, limit: 40)))"
        return [
            "\(side == "lost" ? "Lost" : "Found"): \(what)\(around)\(voice)\(ended)", "  \(PlainText(url, limit: 300))",
        ]
    }
}
