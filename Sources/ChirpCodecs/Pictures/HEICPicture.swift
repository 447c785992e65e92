internal import CPhoto

/// The picture that an HEIC file shows: one HEVC picture, or a grid of them as telephones write it. Decoded by libde265.
struct HEICPicture {
    private let file: HEIFFile
    private let most: Int

    /// A part of a grid, or all of a picture.
    private struct Tile {
        let parameters: HEVCParameters
        let places: [Range<Int>]
        let width, height: Int
        let colour: Colour?
    }

    /// By ITU-T H.273.
    private struct Colour { let matrix, fullRange: Int32 }

    private struct Grid { let rows, columns, width, height: Int }

    static func decoded(_ bytes: [UInt8], most: Int) throws(PictureFault) -> (picture: RGBPicture, turns: [Int]) {
        let picture = HEICPicture(file: try HEIFFile(bytes), most: most)
        let item = picture.file.primary
        var (width, height, pixels) = try picture.pixels(of: item, onlyLuma: false)
        if let opacity = try picture.opacity(of: item) {
            let veil = try picture.pixels(of: opacity, onlyLuma: true)
            if veil.width == width, veil.height == height {
                pixels.withUnsafeMutableBufferPointer {
                    chirp_photo_veil($0.baseAddress, veil.pixels, veil.pixels.count)
                }
            }
        }
        return try picture.turned(RGBPicture(width: width, height: height, pixels: pixels), item)
    }

    /// Rows of three bytes a pixel, or one.
    private func pixels(
        of item: Int, onlyLuma: Bool
    ) throws(PictureFault) -> (width: Int, height: Int, pixels: [UInt8]) {
        let depth = onlyLuma ? 1 : 3
        switch file.kinds[item] {
        case "hvc1":
            let tile = try tile(item, colour: nil)
            var pixels = [UInt8](repeating: 255, count: depth * tile.width * tile.height)
            try decode(tile, into: &pixels, at: 0, rowBytes: depth * tile.width, tile.width, tile.height, onlyLuma)
            return (tile.width, tile.height, pixels)
        case "grid":
            let (grid, parts) = (try grid(item), file.references.first { $0.kind == "dimg" && $0.from == item }?.to)
            guard let parts, parts.count == grid.rows * grid.columns else {
                throw .damaged("a part of it is not there")
            }
            let colour = try colour(try file.properties(of: item))
            var pixels = [UInt8](repeating: 255, count: depth * grid.width * grid.height)
            var size = (width: 0, height: 0)
            for (number, part) in parts.enumerated() {
                guard file.kinds[part] == "hvc1" else { throw .unsupported("its parts are no HEVC pictures") }
                let tile = try tile(part, colour: colour)
                if number == 0 { size = (tile.width, tile.height) }
                guard size == (tile.width, tile.height), size.width * grid.columns >= grid.width,
                    size.height * grid.rows >= grid.height
                else { throw .damaged("its parts do not fit") }
                let (x, y) = (number % grid.columns * size.width, number / grid.columns * size.height)
                guard x < grid.width, y < grid.height else { continue }
                try decode(
                    tile, into: &pixels, at: depth * (y * grid.width + x), rowBytes: depth * grid.width,
                    min(size.width, grid.width - x), min(size.height, grid.height - y), onlyLuma)
            }
            return (grid.width, grid.height, pixels)
        case "av01": throw .unsupported("AVIF pictures are not read")
        default: throw .unsupported("what it shows is no HEVC picture")
        }
    }

    private func tile(_ item: Int, colour: Colour?) throws(PictureFault) -> Tile {
        let properties = try file.properties(of: item)
        guard let coding = properties.first(where: { $0.kind == "hvcC" })?.content,
            var size = properties.first(where: { $0.kind == "ispe" })?.content
        else { throw .damaged("nothing says how it is coded") }
        _ = try size.number(4)
        let (width, height) = (try size.number(4), try size.number(4))
        try PictureFormat.check(width: width, height: height, most: most)
        let parameters = try HEVCParameters(coding)
        // Coded in blocks of up to 64, so that a little more is decoded than is shown.
        guard (width...width + 64).contains(parameters.width), (height...height + 64).contains(parameters.height)
        else { throw .damaged("its sizes contradict each other") }
        let own = try self.colour(properties)
        return Tile(
            parameters: parameters, places: try file.places(of: item), width: width, height: height,
            colour: colour ?? own)
    }

    private func grid(_ item: Int) throws(PictureFault) -> Grid {
        var content = ByteStretch(file.bytes, try file.places(of: item)[0])
        guard try content.number(1) == 0 else { throw .unsupported("its grid is of a kind that nobody knows") }
        let width = try content.number(1) & 1 == 0 ? 2 : 4
        let (rows, columns) = (try content.number(1) + 1, try content.number(1) + 1)
        let grid = Grid(
            rows: rows, columns: columns, width: try content.number(width), height: try content.number(width))
        try PictureFormat.check(width: grid.width, height: grid.height, most: most)
        return grid
    }

    /// What is said of colours outside the stream, if it is said in numbers.
    private func colour(_ properties: [HEIFFile.Property]) throws(PictureFault) -> Colour? {
        for property in properties where property.kind == "colr" {
            var content = property.content
            guard try content.mark() == "nclx" else { continue }
            _ = try content.number(4)
            return Colour(matrix: Int32(try content.number(2)), fullRange: Int32(try content.number(1) >> 7))
        }
        return nil
    }

    /// The item that says how opaque another is.
    private func opacity(of item: Int) throws(PictureFault) -> Int? {
        let names: Set = [
            "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
        ]
        for reference in file.references where reference.kind == "auxl" && reference.to.contains(item) {
            for property in try file.properties(of: reference.from) where property.kind == "auxC" {
                var content = property.content
                _ = try content.number(4)
                let name = content.bytes[content.range].prefix { $0 != 0 }
                if names.contains(String(decoding: name, as: UTF8.self)) { return reference.from }
            }
        }
        return nil
    }

    private func decode(
        _ tile: Tile, into pixels: inout [UInt8], at offset: Int, rowBytes: Int, _ width: Int, _ height: Int,
        _ onlyLuma: Bool
    ) throws(PictureFault) {
        let units = try units(of: tile)
        let fault = pixels.withUnsafeMutableBufferPointer { pixels in
            var goal = chirp_hevc_goal()
            goal.pixels = pixels.baseAddress.map { $0 + offset }
            goal.row_bytes = rowBytes
            (goal.width, goal.height) = (Int32(width), Int32(height))
            goal.only_luma = onlyLuma ? 1 : 0
            goal.matrix = tile.colour?.matrix ?? 2
            goal.full_range = tile.colour?.fullRange ?? -1
            return chirp_hevc_decode(units, units.count, &goal)
        }
        try PictureFault.check(fault)
    }

    /// What the decoder gets: the parameters that were looked at, and the slices of the picture. Nothing else that the stream may
    /// hold, such as other parameters with another size.
    private func units(of tile: Tile) throws(PictureFault) -> [UInt8] {
        var result: [UInt8] = []
        func add(_ range: Range<Int>, of bytes: [UInt8]) {
            result += (0..<4).map { UInt8(truncatingIfNeeded: range.count >> (24 - 8 * $0)) }
            result += bytes[range]
        }
        for unit in tile.parameters.units { add(unit, of: file.bytes) }
        let coded = tile.places.count == 1 ? nil : tile.places.flatMap { file.bytes[$0] }
        var stream = coded.map { ByteStretch($0) } ?? ByteStretch(file.bytes, tile.places[0])
        while !stream.isEmpty {
            let unit = try stream.part(try stream.number(tile.parameters.lengthBytes))
            guard unit.count >= 2 else { throw .damaged("a part of it is empty") }
            if unit.bytes[unit.place] >> 1 & 0x3F < 32 { add(unit.range, of: unit.bytes) }
        }
        return result
    }

    /// Cut as the file says, and how it is to be turned. Its Exif may say the same once more, and does not count (ISO/IEC 23008-12,
    /// annex A.2.2).
    private func turned(
        _ picture: RGBPicture, _ item: Int
    ) throws(PictureFault) -> (picture: RGBPicture, turns: [Int]) {
        var (picture, turns) = (picture, [Int]())
        for property in try file.properties(of: item) {
            var content = property.content
            switch property.kind {
            // Quarters against the clock.
            case "irot": turns.append([1, 8, 3, 6][try content.number(1) & 3])
            // 0: above and below are exchanged; 1: left and right.
            case "imir": turns.append(try content.number(1) & 1 == 0 ? 4 : 2)
            case "clap": if turns.isEmpty { picture = try cut(picture, content) }
            default: break
            }
        }
        return (picture, turns)
    }

    /// A part around the middle (ISO/IEC 14496-12, 12.1.4): width, height and how far its middle is from the picture's, as fractions.
    private func cut(_ picture: RGBPicture, _ content: ByteStretch) throws(PictureFault) -> RGBPicture {
        var (content, values) = (content, [Double]())
        for _ in 0..<4 {
            let above = Int32(truncatingIfNeeded: try content.number(4))
            let below = try content.number(4)
            guard below > 0 else { throw .damaged("it is cut in a way that makes no sense") }
            values.append(Double(above) / Double(below))
        }
        let (width, height) = (values[0].rounded(), values[1].rounded())
        let left = ((Double(picture.width) - width) / 2 + values[2]).rounded()
        let top = ((Double(picture.height) - height) / 2 + values[3]).rounded()
        guard width >= 1, height >= 1, left >= 0, top >= 0, left + width <= Double(picture.width),
            top + height <= Double(picture.height)
        else { throw .damaged("it is cut in a way that makes no sense") }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * Int(width) * Int(height))
        for row in Int(top)..<Int(top + height) {
            let start = 3 * (row * picture.width + Int(left))
            pixels += picture.pixels[start..<start + 3 * Int(width)]
        }
        return RGBPicture(width: Int(width), height: Int(height), pixels: pixels)
    }
}
