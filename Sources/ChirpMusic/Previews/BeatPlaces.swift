internal import Glibc

/// Places in a track counted in beats, from the times of its beats: beat 7.5 is halfway between the eighth beat and the ninth.
///
/// Before the first beat and behind the last one they go on as far apart as the two at that end.
package struct BeatPlaces: Sendable {
    private let beats: [Double]

    /// - Parameter beats: in seconds, ascending.
    /// - Returns: nil when there are less than two, or they do not ascend: then nothing can be counted.
    package init?(beats: [Double]) {
        guard beats.count >= 2, beats.allSatisfy(\.isFinite), zip(beats, beats.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        self.beats = beats
    }

    /// The time of a place, in seconds.
    package func seconds(at place: Double) -> Double {
        let interval = min(max(Int(place.rounded(.down)), 0), beats.count - 2)
        return beats[interval] + (place - Double(interval)) * (beats[interval + 1] - beats[interval])
    }

    /// The place of a time.
    package func place(at seconds: Double) -> Double {
        var (low, high) = (0, beats.count - 2)
        while low < high {
            let middle = (low + high + 1) / 2
            if beats[middle] <= seconds { low = middle } else { high = middle - 1 }
        }
        return Double(low) + (seconds - beats[low]) / (beats[low + 1] - beats[low])
    }

    /// The typical distance of two beats, in seconds.
    package var interval: Double {
        let sorted = zip(beats, beats.dropFirst()).map { $1 - $0 }.sorted()
        return sorted[sorted.count / 2]
    }
}

extension BeatPlaces {
    /// Beats of a bar, for tracks that tell no other number.
    package static let beatsPerBar = 4

    /// Where another track is at the same place of a bar, so that somebody who listens can go over to it without losing the beat.
    ///
    /// The same bar of it when it has one, counted from the first beat; of a shorter one an earlier bar, by as few whole bars as can be. Which beat
    /// of four is the first of a bar is not heard: both count from their first.
    ///
    /// - Parameters:
    ///   - seconds: where this track is.
    ///   - other: the beats of the other one.
    ///   - length: how long the other one is, in seconds.
    /// - Returns: in seconds of the other one; nil when it has no such place, being shorter than a bar.
    package func counterpart(of seconds: Double, in other: BeatPlaces, length: Double) -> Double? {
        let bar = Double(Self.beatsPerBar)
        let place = self.place(at: seconds)
        guard place.isFinite, length > 0 else { return nil }
        // The places that there are, without the very end: somebody wants to hear something.
        let first = other.place(at: 0)
        let last = other.place(at: length) - bar
        guard place > last || place < first else { return other.seconds(at: place) }
        let bars = place > last ? -((place - last) / bar).rounded(.up) : ((first - place) / bar).rounded(.up)
        let found = place + bars * bar
        return found >= first ? other.seconds(at: found) : nil
    }
}
