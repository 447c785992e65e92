internal import ChirpMusic

extension SoundProfile {
    /// Beats a second that nothing has more of.
    private static let mostBeats = 10.0

    /// Whether one could be of a recording so long: another process is not believed. What a description may hold is looked at when it is read.
    func isPossible(for seconds: Double) -> Bool {
        let beats = grid.beats
        let tempi = figures.tempi + (tempo.map(\.offered) ?? [])
        return (0...seconds + 1).contains(self.seconds) && (0...seconds).contains(loudestSecond)
            && Double(beats.count) <= Self.mostBeats * (seconds + 1)
            && beats.allSatisfy { (-1...seconds + 1).contains($0) }
            && zip(beats, beats.dropFirst()).allSatisfy { $0 < $1 }
            && tempi.count <= 4 && tempi.allSatisfy { (1...999).contains($0) }
            && (tempo.map { (0...1).contains($0.confidence) } ?? true)
            && (key.map { (0...1).contains($0.confidence) && $0.alternatives.count <= 24 } ?? true)
            && (0...10_000).contains(figures.density) && (0...200_000).contains(figures.brightness)
    }
}
