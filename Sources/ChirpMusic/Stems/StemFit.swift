internal import Glibc

/// The shifts and gains at which stems fit their mix best, found in their correlations, without their samples.
///
/// Of all stems the one is fitted again with which the least is left then, until nothing gets better: so the stem that is wrong is put right first,
/// and the others stay as they are.
struct StemFit {
    /// A stem as it is heard in the mix: so many samples earlier than it was given, and by this factor.
    struct Place: Hashable {
        var shift = 0
        var gain = 1.0
        /// How much of what the others leave it explains, 0 to 1, as an amplitude.
        var likeness = 1.0
        /// The energy that is left of the mix with it.
        var left = 0.0
    }

    private static let reach = StemCorrelations.reach
    /// Less than this is no fault: half a millisecond, a third of a decibel, or a decibel of what is shifted by a part of a sample.
    private static let leastShift = 0.0005
    private static let leastGain = 0.3
    private static let leastGainOfShifted = 1.0

    /// Of the mix with each stem, and of stems with one another: at place `reach + shift`.
    private let withMix: [[Float]]
    private let among: [[[Float]]]
    private let mixEnergy: Double
    private var places: [Place]

    init(_ correlations: inout StemCorrelations, stems: Int) {
        var withMix: [[Float]] = []
        var among: [[[Float]]] = []
        for one in 0..<stems {
            withMix.append(correlations.correlation(0, one + 1))
            var row: [[Float]] = []
            for other in 0..<stems { row.append(correlations.correlation(one + 1, other + 1)) }
            among.append(row)
        }
        mixEnergy = Double(correlations.correlation(0, 0)[Self.reach])
        self.withMix = withMix
        self.among = among
        places = Array(repeating: Place(), count: stems)
    }

    mutating func faults(rate: Int) -> [StemFindings.Fault] {
        var left = self.left(without: nil)
        for _ in 0..<4 * places.count {
            let fits = places.indices.map { ($0, fit($0)) }
            guard let (stem, best) = fits.min(by: { $0.1.left < $1.1.left }), best.left < 0.98 * left else { break }
            places[stem] = best
            left = best.left
        }
        return places.indices.compactMap { stem in
            trouble(fit(stem), rate: rate).map { StemFindings.Fault(stem: stem, trouble: $0) }
        }
    }

    private func trouble(_ place: Place, rate: Int) -> StemFindings.Trouble? {
        // The right one explains nearly all that the others leave, or, where that is much, still is in it as loud as it is.
        if abs(place.gain) < 0.4, place.likeness < 0.6 { return .foreign }
        let seconds = Double(place.shift) / Double(rate)
        let decibels = -20 * log10(max(abs(place.gain), 1e-6))
        if place.gain < 0 { return .inverted }
        if abs(seconds) >= Self.leastShift, abs(decibels) < 6 { return .shifted(seconds: seconds) }
        return abs(decibels) >= (place.shift == 0 ? Self.leastGain : Self.leastGainOfShifted)
            ? .louder(decibels: decibels) : nil
    }

    /// The best place of one stem, with the others where they are.
    private func fit(_ stem: Int) -> Place {
        var target = withMix[stem]
        for other in places.indices where other != stem { take(places[other], among[other][stem], from: &target) }
        let energy = Double(among[stem][stem][Self.reach])
        let around = left(without: stem)
        guard energy > 0 else { return Place(shift: 0, gain: 1, likeness: 1, left: around) }
        var best = Self.reach
        for index in target.indices where abs(target[index]) > abs(target[best]) { best = index }
        let value = Double(target[best])
        return Place(
            shift: best - Self.reach, gain: value / energy,
            likeness: around > 0 ? min(1, abs(value) / (around * energy).squareRoot()) : 1,
            left: max(0, around - value * value / energy))
    }

    private func take(_ place: Place, _ row: [Float], from target: inout [Float]) {
        let gain = Float(place.gain)
        let first = max(0, place.shift)
        let end = min(target.count, row.count + place.shift)
        guard first < end else { return }
        for index in first..<end { target[index] -= gain * row[index - place.shift] }
    }

    /// The energy of the mix without all stems, or without all but one.
    private func left(without spared: Int?) -> Double {
        var energy = mixEnergy
        for one in places.indices where one != spared {
            energy -= 2 * places[one].gain * value(withMix[one], places[one].shift)
            for other in places.indices where other != spared {
                let shift = places[other].shift - places[one].shift
                energy += places[one].gain * places[other].gain * value(among[one][other], shift)
            }
        }
        return max(0, energy)
    }

    /// 0 beyond what is known.
    private func value(_ correlation: [Float], _ shift: Int) -> Double {
        let index = Self.reach + shift
        return correlation.indices.contains(index) ? Double(correlation[index]) : 0
    }
}
