import ChirpPlaces
import Foundation

/// Towns with how many people live there, from a list in the form of GeoNames (download.geonames.org/export/dump/readme.txt).
struct Towns: Sendable {
    struct Town: Sendable {
        /// Its number in the list.
        let id: String
        let name: String
        let country: String
        let point: GeoPoint
    }

    private let towns: [Town]
    /// How many people live in all towns up to each.
    private let sums: [Int]

    init(path: String) throws {
        var (towns, sums, sum) = ([Town](), [Int](), 0)
        for line in String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count > 14, let latitude = Double(fields[4]), let longitude = Double(fields[5]),
                let point = GeoPoint(latitude: latitude, longitude: longitude)
            else { continue }
            sum += max(1000, Int(fields[14]) ?? 0)
            towns.append(Town(id: String(fields[0]), name: String(fields[1]), country: String(fields[8]), point: point))
            sums.append(sum)
        }
        (self.towns, self.sums) = (towns, sums)
    }

    /// One of them, each as likely as people live there.
    func any(using generator: inout some RandomNumberGenerator) -> Town {
        let wanted = Int.random(in: 0..<(sums.last ?? 1), using: &generator)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return towns[low]
    }
}
