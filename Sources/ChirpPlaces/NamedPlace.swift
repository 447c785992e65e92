/// A place that has a name. Provinces and countries have their English names.
package struct NamedPlace: Hashable, Sendable, Identifiable {
    /// The same for as long as the place has an entry at GeoNames.
    package let id: Int64
    package let name: String
    /// Empty where there is none.
    package let province: String
    /// Empty where it is not known.
    package let country: String
    package let point: GeoPoint
    /// How many people live there.
    package let people: Int

    /// As in `Bonn, North Rhine-Westphalia, Germany`; a name that would be repeated is told once, as in `Berlin, Germany`.
    package var title: String {
        var parts = [name]
        for part in [province, country] where !part.isEmpty && !parts.contains(part) { parts.append(part) }
        return parts.joined(separator: ", ")
    }
}
