internal import ChirpFiles
internal import Glibc

/// The files of GeoNames that names come from (download.geonames.org/export/dump, readme.txt; CC BY 4.0), as Debian's
/// `libtimezonemap-data` has them.
struct PlaceSource {
    let folder: String

    static let towns = "cities15000.txt"
    static let provinces = "admin1Codes.txt"
    static let countries = "countryInfo.txt"

    /// A line of the towns.
    struct Town {
        let id: Int64
        let name: String
        /// In other languages and scripts, and codes of airports.
        let others: [Substring]
        let point: GeoPoint
        /// ISO 3166-1, two letters.
        let country: String
        /// As in `DE.07`.
        let province: String
        let people: Int
    }

    /// A country or a province: its code and its names.
    struct Area {
        let code: String
        let name: String
        let others: [String]
    }

    /// Sizes and times of the files: other ones are another source. The rest of a package may be older than what was made of the last one.
    func marks() throws(FileError) -> String {
        var marks: [String] = []
        for name in [Self.towns, Self.provinces, Self.countries] {
            var facts = stat()
            guard stat("\(folder)/\(name)", &facts) == 0 else { throw FileError(path: "\(folder)/\(name)") }
            marks.append("\(name) \(facts.st_size) \(facts.st_mtim.tv_sec)")
        }
        return marks.joined(separator: ", ")
    }

    func readTowns(_ each: (Town) throws -> Void) throws {
        for line in try lines(Self.towns) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 15, let id = fields[0].safeInteger, let latitude = fields[4].decimal(in: -90...90),
                let longitude = fields[5].decimal(in: -180...180),
                let point = GeoPoint(latitude: latitude, longitude: longitude),
                !fields[1].isEmpty
            else { continue }
            try each(
                Town(
                    id: id, name: String(fields[1]), others: [fields[2]] + fields[3].split(separator: ","),
                    point: point, country: String(fields[8]), province: "\(fields[8]).\(fields[10])",
                    people: fields[14].integer(in: 0 ... .max) ?? 0))
        }
    }

    func readProvinces() throws(FileError) -> [Area] {
        try lines(Self.provinces).compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 3, let short = fields[0].split(separator: ".").last else { return nil }
            // Letters are what people write, as in `TX`; numbers are GeoNames' own.
            let isWritten = short.allSatisfy(\.isLetter)
            return Area(
                code: String(fields[0]), name: String(fields[1]),
                others: [String(fields[2])] + (isWritten ? [String(short)] : []))
        }
    }

    func readCountries() throws(FileError) -> [Area] {
        try lines(Self.countries).compactMap { line in
            guard line.first != "#" else { return nil }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 5, fields[0].count == 2 else { return nil }
            return Area(
                code: String(fields[0]), name: String(fields[4]), others: [String(fields[0]), String(fields[1])])
        }
    }

    /// The most bytes of a file: the largest list that there is of towns (of 500 people and more) has 40 million.
    private static let most: Int64 = 200_000_000

    private func lines(_ name: String) throws(FileError) -> [Substring] {
        var bytes: [UInt8] = []
        try FileContent.read("\(folder)/\(name)", limit: Self.most) { piece in bytes.append(contentsOf: piece) }
        // Not by characters: a line's end after a carriage return is one character with it.
        return bytes.split(separator: UInt8(ascii: "\n")).map { Substring(decoding: $0, as: UTF8.self) }
    }
}
