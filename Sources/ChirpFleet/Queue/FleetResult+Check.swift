internal import ChirpClips

extension FleetResult.Made {
    /// Whether its numbers can be those of a clip: they come from the network, and are shown and added up.
    var isPlausible: Bool {
        let (level, trim) = (receipt.level, receipt.trim)
        let times = [receipt.input.seconds, trim.headSeconds, trim.tailSeconds, receipt.clip?.seconds ?? 0]
        let levels = [
            level.gainDB, level.limitedDB, level.beforeLUFS ?? 0, level.afterLUFS ?? 0, level.truePeakDBTP ?? 0,
        ]
        return times.allSatisfy { (0...1e7).contains($0) } && levels.allSatisfy { (-1000.0...1000.0).contains($0) }
            && (receipt.clip?.bytes ?? 0) >= 0 && receipt.notes.count <= 100
    }
}
