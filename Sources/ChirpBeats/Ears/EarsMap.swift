internal import ChirpMusic
internal import Glibc

/// Where another preview is at the same place of a bar, for all of this one: straight pieces between its beats.
package struct EarsMap: Hashable, Sendable {
    /// From an instant of this one on, in seconds: where the other one is then, and how many of its seconds go by in one of this one's.
    package struct Step: Hashable, Sendable {
        package let from, to, rate: Double
    }

    /// Ascending.
    package let steps: [Step]

    /// By ``BeatPlaces/counterpart(of:in:length:)``; where one of both has no beats, the same second of both.
    ///
    /// - Parameters:
    ///   - own: the beats of this one, in seconds, ascending.
    ///   - seconds: how long this one is.
    ///   - beats: of the other one.
    ///   - length: how long the other one is, in seconds.
    package init(of own: [Double], seconds: Double, to beats: [Double], length: Double) {
        guard let own = BeatPlaces(beats: own), let other = BeatPlaces(beats: beats), seconds > 0 else {
            steps = [Step(from: 0, to: 0, rate: 1)]
            return
        }
        var (steps, place): ([Step], Double) = ([], own.place(at: 0).rounded(.down))
        let last = own.place(at: seconds)
        // Strangers' beats may be as near to one another as numbers can be.
        let end = min(last, place + Double(Self.mostSteps))
        while place <= end {
            let from = own.seconds(at: place)
            if let to = own.counterpart(of: from, in: other, length: length) {
                let next = other.seconds(at: other.place(at: to) + 1)
                steps.append(Step(from: from, to: to, rate: (next - to) / (own.seconds(at: place + 1) - from)))
            }
            place += 1
        }
        self.steps = steps.isEmpty ? [Step(from: 0, to: 0, rate: 1)] : steps
    }

    private static let mostSteps = 20_000

    /// The instant of the other one, in seconds: what the page's script does too.
    package func counterpart(of seconds: Double) -> Double {
        let step = steps.last { $0.from <= seconds } ?? steps[0]
        return max(0, step.to + (seconds - step.from) * step.rate)
    }

    /// By what two previews are multiplied so that both are as loud as the softer one.
    ///
    /// - Parameters: in LUFS; nil: not known, then nothing is done.
    package static func gains(_ own: Double?, _ other: Double?) -> (own: Double, other: Double) {
        guard let own, let other else { return (1, 1) }
        let softer = min(own, other)
        return (amplitude(softer - own), amplitude(softer - other))
    }

    private static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }
}
