internal import ChirpCore
internal import ChirpHTTP

extension RemoteHub {
    /// A place that the hub knows by name.
    public struct NamedPlace: Decodable, Hashable, Sendable {
        public let name: String
        public let province: String?
        public let country: String?
        /// Degrees of WGS 84.
        public let lat: Double
        public let lon: Double

        /// As in `Bonn, North Rhine-Westphalia, Germany`, made safe to show.
        public var title: String {
            PlainText(
                [name, province ?? "", country ?? ""].filter { !$0.isEmpty }.joined(separator: ", "), limit: 120
            ).value
        }
    }

    private struct Places: Decodable {
        let places: [NamedPlace]
        let suggestions: [NamedPlace]?
    }

    /// Places of a name, best first; when there is none, what may have been meant.
    public func places(
        named name: String
    ) async throws(NetworkError) -> (found: [NamedPlace], meant: [NamedPlace]) {
        let answer = try await get(Places.self, root.appending("api", "hub", "v1", "places").adding(["q": name]))
        return (answer.places, answer.suggestions ?? [])
    }
}
