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
    /// By how much the mix is louder than its stems, in dB, and the share of its energy that is left at their best places; known once ``faults(rate:)``
    /// has looked for them.
    private(set) var gain = 0.0
    private(set) var share = 1.0

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

    /// What is wrong with which stem. What is common to all is no fault: a mix that was made louder or begins later as a whole.
    mutating func faults(rate: Int) -> [StemFindings.Fault] {
        var left = self.left(without: nil)
        for _ in 0..<4 * places.count {
            let fits = places.indices.map { ($0, fit($0)) }
            guard let (stem, best) = fits.min(by: { $0.1.left < $1.1.left }), best.left < 0.98 * left else { break }
            places[stem] = best
            left = best.left
        }
        for stem in places.indices where energy(stem) > 0 { places[stem] = fit(stem) }
        let common = self.common
        gain = 20 * log10(common.gain)
        share = mixEnergy > 0 ? self.left(without: nil) / mixEnergy : 1
        return places.indices.compactMap { stem in
            trouble(stem, common, rate: rate).map { StemFindings.Fault(stem: stem, trouble: $0) }
        }
    }

    /// Where most stems are: at their own places, unless none of them is.
    private var common: Place {
        let sound = places.indices.filter { energy($0) > 0 && places[$0].gain > 0 && !isForeign(places[$0]) }
        guard !sound.isEmpty else { return Place() }
        let shifts = sound.map { places[$0].shift }.sorted()
        let gains = sound.map { places[$0].gain }.sorted()
        var common = Place()
        let isOwn = { (gain: Double) in abs(20 * log10(gain)) < Self.leastGain }
        if sound.count > 2 {
            (common.shift, common.gain) = (shifts[(sound.count - 1) / 2], gains[(sound.count - 1) / 2])
        } else {
            // Of two that differ, the one that is where it was given is right, or else the louder one.
            if let first = shifts.first, shifts.allSatisfy({ $0 == first }) { common.shift = first }
            let loudest = sound.max { energy($0) < energy($1) }
            if !gains.contains(where: isOwn), let loudest { common.gain = places[loudest].gain }
        }
        if isOwn(common.gain) { common.gain = 1 }
        return common
    }

    private func isForeign(_ place: Place) -> Bool { abs(place.gain) < 0.4 && place.likeness < 0.6 }

    private func trouble(_ stem: Int, _ common: Place, rate: Int) -> StemFindings.Trouble? {
        let place = places[stem]
        // The right one explains nearly all that the others leave, or, where that is much, still is in it as loud as it is.
        if isForeign(place) { return .foreign }
        let seconds = Double(place.shift - common.shift) / Double(rate)
        let decibels = -20 * log10(max(abs(place.gain / common.gain), 1e-6))
        if place.gain < 0 { return .inverted }
        if abs(seconds) >= Self.leastShift, abs(decibels) < 6 { return .shifted(seconds: seconds) }
        guard abs(decibels) >= (place.shift == 0 ? Self.leastGain : Self.leastGainOfShifted) else { return nil }
        // In a mix that was limited or equalised every stem seems louder or softer, which explains little of what is left.
        var usual = self
        usual.places[stem].gain = common.gain
        return usual.left(without: nil) > 2 * left(without: nil) ? .louder(decibels: decibels) : nil
    }

    private func energy(_ stem: Int) -> Double { Double(among[stem][stem][Self.reach]) }

    /// The best place of one stem, with the others where they are.
    private func fit(_ stem: Int) -> Place {
        var target = withMix[stem]
        for other in places.indices where other != stem { take(places[other], among[other][stem], from: &target) }
        let energy = self.energy(stem)
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
