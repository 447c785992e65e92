import ChirpCommands
import Foundation

/// Where something is, as people write it: degrees north and east, as in `50.73,7.10`, or the name of a place.
enum PlaceName: Hashable, Sendable {
    case point(latitude: Double, longitude: Double)
    case named(String)

    init(_ text: String) throws(BadValue) {
        let text = text.trimmingCharacters(in: .whitespaces)
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) {
            guard latitude.isFinite, abs(latitude) <= 90, longitude.isFinite, abs(longitude) <= 180 else {
                throw BadValue(
                    text, needs: "degrees north from -90 to 90 and east from -180 to 180, such as 50.73,7.10")
            }
            self = .point(latitude: latitude, longitude: longitude)
            return
        }
        guard !text.isEmpty, text.count <= 200 else {
            throw BadValue(text, needs: "degrees such as 50.73,7.10, or the name of a place")
        }
        self = .named(text)
    }
}
