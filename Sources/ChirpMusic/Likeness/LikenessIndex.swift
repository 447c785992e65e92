internal import ChirpAudio

/// All descriptions of a hub, laid out so that those nearest to one are found by looking at each: 100,000 in some milliseconds.
///
/// Scaled by the statistics at hand when it was made; when many entries have come or gone since, a new one is made.
package struct LikenessIndex<ID: Hashable & Sendable>: Sendable {
    /// An entry that sounds alike.
    package struct Neighbour: Hashable, Sendable {
        package let id: ID
        /// -1 to 1: the cosine of the two scaled descriptions.
        package let likeness: Double
    }

    /// By which descriptions are scaled.
    package let statistics: DescriptionStatistics
    /// 64 numbers of one entry after the other.
    private var numbers: [Float] = []
    private var ids: [ID] = []
    private var places: [ID: Int] = [:]

    package init(statistics: DescriptionStatistics) { self.statistics = statistics }

    /// - Parameter entries: of an identity that is twice there, the later counts.
    package init(_ entries: some Collection<(ID, SoundDescription)>) {
        self.init(statistics: DescriptionStatistics(of: entries.lazy.map(\.1)))
        numbers.reserveCapacity(entries.count * SoundDescription.count)
        for (id, description) in entries { set(description, for: id) }
    }

    package var count: Int { ids.count }

    /// Adds an entry, or changes it.
    package mutating func set(_ description: SoundDescription, for id: ID) {
        let scaled = statistics.scaled(description)
        if let place = places[id] {
            numbers.replaceSubrange(range(place), with: scaled)
        } else {
            places[id] = ids.count
            ids.append(id)
            numbers += scaled
        }
    }

    package mutating func remove(_ id: ID) {
        guard let place = places.removeValue(forKey: id), let last = ids.last else { return }
        if last != id {
            ids[place] = last
            places[last] = place
            for index in 0..<SoundDescription.count {
                numbers[place * SoundDescription.count + index] = numbers[range(ids.count - 1).lowerBound + index]
            }
        }
        ids.removeLast()
        numbers.removeLast(SoundDescription.count)
    }

    private func range(_ place: Int) -> Range<Int> {
        place * SoundDescription.count..<(place + 1) * SoundDescription.count
    }

    /// The entries nearest to an entry, the nearest first, without itself; none when it is not there.
    package func neighbours(of id: ID, count: Int) -> [Neighbour] {
        guard let place = places[id] else { return [] }
        return nearest(to: Array(numbers[range(place)]), count: count, but: place)
    }

    /// The entries nearest to a description, the nearest first.
    package func neighbours(of description: SoundDescription, count: Int) -> [Neighbour] {
        nearest(to: statistics.scaled(description), count: count, but: nil)
    }

    private func nearest(to scaled: [Float], count: Int, but own: Int?) -> [Neighbour] {
        guard count > 0 else { return [] }
        // The best so far, the worst of them last.
        var best: [(place: Int, likeness: Float)] = []
        best.reserveCapacity(count + 1)
        for place in ids.indices where place != own {
            let likeness = product(of: numbers.span.extracting(range(place)), and: scaled.span)
            if best.count == count, likeness <= best[count - 1].likeness { continue }
            let index = best.firstIndex { $0.likeness < likeness } ?? best.count
            best.insert((place, likeness), at: index)
            if best.count > count { best.removeLast() }
        }
        return best.map { Neighbour(id: ids[$0.place], likeness: Double(max(-1, min(1, $0.likeness)))) }
    }
}
