/// The picture that stands for a film.
package enum FilmPoster {
    /// A JPEG without whatever is in the file beside it; nil when it is none, or larger than a poster is. Nothing is decoded.
    package static func plain(_ file: [UInt8]) -> [UInt8]? {
        guard let picture = JPEGSegments.withoutMetadata(file), let (width, height) = JPEGSegments.size(picture),
            [width, height].allSatisfy({ (1...FilmRules.posterSide).contains($0) })
        else { return nil }
        return picture
    }
}
