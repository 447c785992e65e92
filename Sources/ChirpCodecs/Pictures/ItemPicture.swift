package import ChirpAudio
internal import CPhoto

/// A picture of something that people list: three upright JPEGs without metadata, made anew of a JPEG, PNG, GIF, WebP or HEIC, so that
/// nothing of the source's bytes is left in them; and what it looks like in 256 bits.
///
/// Of what moves the first frame is taken; what is transparent becomes white. Colours are taken for sRGB, whatever profile there is.
package struct ItemPicture: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package let jpeg: [UInt8]
        package let width, height: Int

        package init(jpeg: [UInt8], width: Int, height: Int) {
            (self.jpeg, self.width, self.height) = (jpeg, width, height)
        }
    }

    /// The longer side of each file, in pixels, where the source has as many.
    package static let sides = [320, 800, 1600]
    /// The most that each file may have, in bytes. Photos have a fifth of it; noise has more.
    package static let mostBytes = [150_000, 700_000, 2_000_000]
    /// A larger source is refused before it is decoded.
    package static let mostPixels = 25_000_000
    /// A larger file is not read.
    package static let mostSourceBytes = 20_000_000

    /// The smallest first, as ``sides``.
    package let files: [File]
    /// PDQ; 32 bytes, the first bit is the greatest of the first byte.
    package let print: [UInt8]
    /// 0...100: how much there is to be seen. Below 50 the print says little.
    package let quality: Int

    /// - Parameters:
    ///   - bytes: of a file; any are safe.
    ///   - name: for errors.
    /// - Throws: ``AudioError/undecodable(name:reason:detail:)`` or ``AudioError/unsupported(name:reason:)``.
    package init(_ bytes: [UInt8], name: String) throws(AudioError) {
        guard bytes.count <= Self.mostSourceBytes else {
            throw .unsupported(name: name, reason: "a picture may have 20 MB")
        }
        guard let format = PictureFormat(bytes) else {
            throw .undecodable(name: name, reason: "it is no JPEG, PNG, GIF, WebP or HEIC picture")
        }
        do throws(PictureFault) {
            let largest = Self.sides.last ?? 0
            let (source, turns) = try format.decoded(bytes, side: largest, most: Self.mostPixels)
            var picture = try source.light(side: largest)
            for turn in turns { picture = picture.upright(turn) }
            var (files, print) = ([File](), PicturePrint?.none)
            // From large to small: the rest is quick.
            for (side, most) in zip(Self.sides, Self.mostBytes).reversed() {
                picture = try picture.light(side: side)
                files.append(
                    File(
                        jpeg: try Self.jpeg(of: picture, most: most), width: picture.width, height: picture.height))
                if side == Self.sides[1] { print = PicturePrint(picture) }
            }
            self.files = files.reversed()
            (self.print, quality) = (print?.bits ?? [], print?.quality ?? 0)
        } catch {
            throw error.error(name: name)
        }
    }

    /// What another process says that it has made; nil for what this one would never make: another size, or anything in the files
    /// beside a picture. Nothing is decoded.
    package init?(files: [File], print: [UInt8], quality: Int) {
        guard files.count == Self.sides.count, print.count == 32, (0...100).contains(quality) else { return nil }
        for (file, (side, most)) in zip(files, zip(Self.sides, Self.mostBytes)) {
            guard file.jpeg.count <= most, (1...side).contains(file.width), (1...side).contains(file.height),
                JPEGSegments.withoutMetadata(file.jpeg) == file.jpeg,
                JPEGSegments.size(file.jpeg).map({ $0 == (file.width, file.height) }) == true
            else { return nil }
        }
        (self.files, self.print, self.quality) = (files, print, quality)
    }

    /// Opens what is opened at run time, for a process that may open no files later.
    package static func openLibraries() { _ = chirp_photo_load() }

    private static func jpeg(of picture: RGBPicture, most: Int) throws(PictureFault) -> [UInt8] {
        for quality in [82, 70, 55, 40, 20] {
            let jpeg = try picture.jpeg(quality: quality, isProgressive: true)
            if jpeg.count <= most { return jpeg }
        }
        throw .unsupported("there is too much in it to be made small")
    }
}

extension RGBPicture {
    /// Scaled down so that the longer side is at most so long: every pixel has the mean light of those it covers.
    func light(side: Int) throws(PictureFault) -> RGBPicture {
        let longer = max(width, height)
        guard longer > side else { return self }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longer / 2) / longer) }
        let (columns, rows) = (scaled(width), scaled(height))
        var result = [UInt8](repeating: 0, count: 3 * columns * rows)
        let hasFailed = result.withUnsafeMutableBufferPointer { goal in
            chirp_photo_scale(pixels, Int32(width), Int32(height), goal.baseAddress, Int32(columns), Int32(rows))
        }
        guard hasFailed == 0 else { throw .damaged("there is no memory") }
        return RGBPicture(width: columns, height: rows, pixels: result)
    }
}
