/// The container of HEIC pictures (ISO/IEC 23008-12, on ISO/IEC 14496-12): items, where their bytes lie, what they are like, and which
/// is shown. Of all that a file may hold only that is read.
struct HEIFFile: Sendable {
    let bytes: [UInt8]
    /// The item that is shown.
    private(set) var primary = 0
    /// As in `hvc1`, `grid`.
    private(set) var kinds: [Int: String] = [:]
    private var extents: [Int: [Range<Int>]] = [:]
    private var properties: [Property] = []
    private var own: [Int: [(index: Int, isEssential: Bool)]] = [:]
    private(set) var references: [Reference] = []

    struct Property: Sendable {
        let kind: String
        let content: ByteStretch
    }

    /// From one item to others, as in `dimg`: it is made of them.
    struct Reference: Sendable {
        let kind: String
        let from: Int
        let to: [Int]
    }

    /// Of each thing there is to count. A telephone's largest picture has some hundreds of items.
    private static let most = 4096

    init(_ bytes: [UInt8]) throws(PictureFault) {
        self.bytes = bytes
        var meta: ByteStretch?
        for box in try Self.boxes(in: ByteStretch(bytes), isFile: true) {
            switch box.kind {
            case "ftyp": try Self.checkBrands(box.content)
            case "meta" where meta == nil: meta = box.content
            default: break
            }
        }
        guard var meta else { throw .damaged("there is no picture in it") }
        _ = try meta.number(4)
        try read(try Self.boxes(in: meta))
    }

    private static func checkBrands(_ content: ByteStretch) throws(PictureFault) {
        var (content, brands) = (content, Set<String>())
        brands.insert(try content.mark())
        _ = try content.number(4)
        while content.count >= 4, brands.count < 64 { brands.insert(try content.mark()) }
        if !brands.isDisjoint(with: ["heic", "heix", "heim", "heis"]) { return }
        if !brands.isDisjoint(with: ["avif", "avis"]) { throw .unsupported("AVIF pictures are not read") }
        guard brands.contains("mif1") else { throw .unsupported("it is no picture, but perhaps a film") }
    }

    /// The boxes of a stretch, to its end.
    ///
    /// - Parameter isFile: the last may say that it goes on to the end, and one that is cut short ends the list.
    private static func boxes(in stretch: ByteStretch, isFile: Bool = false) throws(PictureFault) -> [Property] {
        var (stretch, result) = (stretch, [Property]())
        while !stretch.isEmpty, result.count < most {
            let begin = stretch.place
            var length = try stretch.number(4)
            let kind = try stretch.mark()
            if length == 1 {
                length = try stretch.number(8)
            } else if length == 0, isFile {
                length = stretch.end - begin
            }
            let head = stretch.place - begin
            guard length >= head else { throw .damaged("a box in it is shorter than its head") }
            result.append(Property(kind: kind, content: try stretch.part(length - head)))
        }
        return result
    }

    private mutating func read(_ boxes: [Property]) throws(PictureFault) {
        let data = boxes.first { $0.kind == "idat" }?.content
        for box in boxes {
            var content = box.content
            switch box.kind {
            case "pitm":
                let version = try Self.version(&content)
                primary = try content.number(version == 0 ? 2 : 4)
            case "iinf": try readKinds(content)
            case "iloc": try readExtents(content, data: data)
            case "iref": try readReferences(content)
            case "iprp":
                for box in try Self.boxes(in: content) {
                    if box.kind == "ipco" { properties = try Self.boxes(in: box.content) }
                    if box.kind == "ipma" { try readAssociations(box.content) }
                }
            default: break
            }
        }
    }

    /// The version of a box that has one, less its flags.
    private static func version(_ content: inout ByteStretch) throws(PictureFault) -> Int {
        try content.number(4) >> 24
    }

    /// So many of something, within reason.
    private static func count(_ content: inout ByteStretch, bytes: Int) throws(PictureFault) -> Int {
        let count = try content.number(bytes)
        guard count <= most else { throw .unsupported("it has \(count) parts") }
        return count
    }

    private mutating func readKinds(_ content: ByteStretch) throws(PictureFault) {
        var content = content
        _ = try Self.count(&content, bytes: try Self.version(&content) == 0 ? 2 : 4)
        for entry in try Self.boxes(in: content) where entry.kind == "infe" {
            var entry = entry.content
            let version = try Self.version(&entry)
            guard version >= 2 else { continue }
            let id = try entry.number(version == 2 ? 2 : 4)
            // A protected item cannot be read.
            guard try entry.number(2) == 0 else { continue }
            kinds[id] = try entry.mark()
        }
    }

    private mutating func readExtents(_ content: ByteStretch, data: ByteStretch?) throws(PictureFault) {
        var content = content
        let version = try Self.version(&content)
        guard version <= 2 else { throw .unsupported("its list of places is of a kind that nobody knows") }
        let sizes = try content.number(2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else {
            throw .damaged("its list of places makes no sense")
        }
        for _ in 0..<(try Self.count(&content, bytes: version < 2 ? 2 : 4)) {
            let id = try content.number(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try content.number(2) & 15
            let isHere = try content.number(2) == 0
            let base = try content.number(baseSize)
            var ranges: [Range<Int>] = []
            for _ in 0..<(try Self.count(&content, bytes: 2)) {
                _ = try content.number(indexSize)
                let (offset, length) = (try content.number(offsetSize), try content.number(lengthSize))
                let whole = method == 0 ? 0..<bytes.count : data?.range ?? 0..<0
                let (begin, isFar) = base.addingReportingOverflow(offset)
                // Of an item that nobody asks for it may say what it wants.
                guard isHere, method < 2, !isFar, begin <= whole.count, length <= whole.count - begin else {
                    ranges = []
                    break
                }
                let start = whole.lowerBound + begin
                ranges.append(start..<(length == 0 ? whole.upperBound : start + length))
            }
            extents[id] = ranges
        }
    }

    private mutating func readReferences(_ content: ByteStretch) throws(PictureFault) {
        var content = content
        let width = try Self.version(&content) == 0 ? 2 : 4
        for box in try Self.boxes(in: content) {
            var list = box.content
            let from = try list.number(width)
            var to: [Int] = []
            for _ in 0..<(try Self.count(&list, bytes: 2)) { to.append(try list.number(width)) }
            references.append(Reference(kind: box.kind, from: from, to: to))
        }
    }

    private mutating func readAssociations(_ content: ByteStretch) throws(PictureFault) {
        var content = content
        let head = try content.number(4)
        let (version, hasLongIndex) = (head >> 24, head & 1 == 1)
        for _ in 0..<(try Self.count(&content, bytes: 4)) {
            let id = try content.number(version == 0 ? 2 : 4)
            for _ in 0..<(try content.number(1)) {
                let entry = try content.number(hasLongIndex ? 2 : 1)
                let essential = hasLongIndex ? 0x8000 : 0x80
                own[id, default: []].append((entry & (essential - 1), entry & essential != 0))
            }
        }
    }

    /// What an item is like, in the file's order.
    ///
    /// - Throws: for one without which it cannot be shown, and that is not known here.
    func properties(of item: Int) throws(PictureFault) -> [Property] {
        let known: Set = ["hvcC", "ispe", "colr", "pixi", "pasp", "irot", "imir", "clap", "auxC"]
        var result: [Property] = []
        for (index, isEssential) in own[item] ?? [] where index > 0 {
            guard index <= properties.count else { throw .damaged("it names what it has not") }
            let property = properties[index - 1]
            guard known.contains(property.kind) || !isEssential else {
                throw .unsupported("showing it needs '\(property.kind.filter { $0.isASCII && $0.isLetter })'")
            }
            result.append(property)
        }
        return result
    }

    /// Where an item's bytes lie.
    func places(of item: Int) throws(PictureFault) -> [Range<Int>] {
        guard let places = extents[item], !places.isEmpty else { throw .damaged("a part of it is not there") }
        return places
    }
}
