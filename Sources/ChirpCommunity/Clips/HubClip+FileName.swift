internal import FoundationEssentials

extension HubClip {
    /// What its file is called where somebody keeps it. That of every recording of a browser has the same name, which says nothing: so it
    /// is called by the clip's title, or else by the day.
    package var keptName: String {
        guard fileName == "take.mp3" else { return fileName }
        let day = "Chirp \(created.formatted(.iso8601.year().month().day()))"
        let name = title.isEmpty ? day : String(title.prefix(60))
        // What file systems take for something else.
        return String(name.map { "/\\:*?\"<>|".contains($0) ? "_" : $0 }) + ".mp3"
    }
}
