/// Where everything of a poster stands, from the top: headline, title, picture, reward, what is known beside the code, and strips.
///
/// The picture gets what the words leave, and the words are bounded so that it is never less than half of that.
struct PosterLayout {
    let poster: Poster
    let code: QRCode
    /// For the strips: with fewer and so larger squares.
    let small: QRCode
    let picture: (bytes: [UInt8], size: JPEGSize)?

    private typealias Box = PaperSheet.Box
    private typealias Writing = PaperSheet.Writing

    /// Printers leave a border of some 5 mm, and nails want some too.
    private let margin = 34.0
    private let gap = 12.0
    private let stripHeight = 124.0
    private let strips = 7
    private var inner: Double { PaperSheet.width - 2 * margin }
    private var codeSize: Double { picture == nil ? 190 : 126 }
    /// Of code and address.
    private var side: Double { codeSize + 24 }

    func draw(on sheet: PaperSheet) throws(Poster.Failure) {
        var top = headline(on: sheet, at: margin)
        top = title(on: sheet, at: top + gap)
        let bottom = PaperSheet.height - (poster.hasStrips ? stripHeight : margin)
        if poster.hasStrips { tearOffs(on: sheet, at: bottom) }
        let rewardHeight = poster.reward.isEmpty ? 0 : 40 + gap
        // Of what is left, the words may have so much.
        let room = bottom - gap - top - gap - rewardHeight
        let words = Known(
            poster, on: sheet, width: inner - side - gap, height: room * (picture == nil ? 1 : 0.42),
            largest: picture == nil ? 34 : 20)
        let caption = caption(on: sheet)
        let wordsHeight = max(words.height, caption.height + codeSize)
        if let picture {
            let box = Box(x: margin, y: top + gap, width: inner, height: room - wordsHeight - gap)
            try show(picture, in: box, on: sheet)
            top = bottom - gap - wordsHeight - rewardHeight
        } else {
            // In the middle of what is left.
            top += gap + max(0, room - wordsHeight) / 3
        }
        if !poster.reward.isEmpty {
            reward(on: sheet, in: Box(x: margin, y: top, width: inner, height: 40))
            top += rewardHeight
        }
        words.draw(on: sheet, x: margin, y: top)
        let left = margin + inner - side
        sheet.draw(code, x: left + (side - codeSize) / 2, y: top, size: codeSize)
        var y = top + codeSize
        for line in caption.lines { y += sheet.write(line, x: left, y: y).height }
    }

    private func headline(on sheet: PaperSheet, at top: Double) -> Double {
        let box = Box(x: margin, y: top, width: inner, height: 106)
        sheet.fill(box, poster.tone == .lost ? .lost : .found, radius: 6)
        let writing = sheet.fitted(
            Writing(
                text: Poster.clean(poster.headline, 60), isBold: true, size: 0, width: inner - 32, isCentred: true),
            stride(from: 96, through: 16, by: -2), height: box.height)
        let height = sheet.measure(writing).height
        sheet.write(writing, x: margin + 16, y: top + (box.height - height) / 2, .white)
        return top + box.height
    }

    private func title(on sheet: PaperSheet, at top: Double) -> Double {
        let most = picture == nil ? 44.0 : 34
        let writing = sheet.fitted(
            Writing(
                text: Poster.clean(poster.title, 200), isBold: true, size: 0, width: inner,
                lines: picture == nil ? 3 : 2, isCentred: true),
            alone: stride(from: most, through: 25, by: -1), stride(from: most, through: 16, by: -1),
            height: picture == nil ? 150 : 80)
        return top + sheet.write(writing, x: margin, y: top).height
    }

    /// The whole picture, as large as it goes.
    private func show(
        _ picture: (bytes: [UInt8], size: JPEGSize), in box: Box, on sheet: PaperSheet
    ) throws(Poster.Failure) {
        let (columns, rows) = (Double(picture.size.columns), Double(picture.size.rows))
        let scale = min(box.width / columns, box.height / rows)
        let (width, height) = (columns * scale, rows * scale)
        let place = Box(
            x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width: width, height: height)
        try sheet.draw(picture.bytes, picture.size, in: place, radius: 4)
    }

    private func reward(on sheet: PaperSheet, in box: Box) {
        sheet.fill(box, .reward, radius: 6)
        let writing = sheet.fitted(
            Writing(
                text: Poster.clean(poster.reward, 200), isBold: true, size: 0, width: box.width - 24, isCentred: true),
            stride(from: 26, through: 9, by: -1), height: box.height)
        let height = sheet.measure(writing).height
        sheet.write(writing, x: box.x + 12, y: box.y + (box.height - height) / 2)
    }

    /// What to do with the code, and the address for who has no camera.
    private func caption(on sheet: PaperSheet) -> (lines: [Writing], height: Double) {
        let invitation = sheet.fitted(
            Writing(
                text: Poster.clean(poster.invitation, 100), isBold: true, size: 0, width: side, lines: 2,
                isCentred: true),
            alone: stride(from: 14, through: 10, by: -0.5), stride(from: 12, through: 7, by: -1))
        let link = sheet.address(address, width: side, stride(from: 10.5, through: 4, by: -0.5), height: 44)
        let lines = [invitation, link]
        return (lines, lines.reduce(0) { $0 + sheet.measure($1).height })
    }

    private var address: String {
        let link = Poster.clean(poster.link, 1000)
        return link.hasPrefix("https://") ? String(link.dropFirst(8)) : link
    }

    private func tearOffs(on sheet: PaperSheet, at top: Double) {
        sheet.line(fromX: 0, y: top, toX: PaperSheet.width, y: top, isDashed: false)
        let width = PaperSheet.width / Double(strips)
        let name = sheet.fitted(
            Writing(
                text: Poster.clean(poster.title, 100), isBold: true, size: 0, width: width - 10, lines: 2,
                isCentred: true), stride(from: 8, through: 6, by: -0.5), height: 22)
        let link = sheet.address(address, width: width - 8, stride(from: 7.5, through: 3, by: -0.25), height: 27)
        let side = 60.0
        for strip in 0..<strips {
            let left = Double(strip) * width
            if strip > 0 {
                sheet.line(fromX: left, y: top, toX: left, y: PaperSheet.height, isDashed: true)
            }
            let height = sheet.write(name, x: left + 5, y: top + 4).height
            sheet.draw(small, x: left + (width - side) / 2, y: top + 4 + height, size: side)
            sheet.write(link, x: left + 4, y: top + 2 + height + side)
        }
    }
}

/// What is known, beside the code: facts with their names, then the description, in the largest letters that fit.
private struct Known {
    private var parts: [(writing: PaperSheet.Writing, colour: PaperSheet.Colour, space: Double)] = []
    private(set) var height = 0.0

    init(_ poster: Poster, on sheet: PaperSheet, width: Double, height most: Double, largest: Double) {
        for size in stride(from: largest, through: 8, by: -1) {
            lay(poster, size, sheet, width)
            if height <= most, !parts.contains(where: { sheet.measure($0.writing).isCut }) { return }
        }
        // The facts first; the description has as many lines as there is room for.
        lay(poster, 8, sheet, width, lines: { max(1, Int(clamping: (most - $0) / 10)) })
    }

    /// - Parameter lines: how many the description may have below so much height; nil for all.
    private mutating func lay(
        _ poster: Poster, _ size: Double, _ sheet: PaperSheet, _ width: Double, lines: ((Double) -> Int)? = nil
    ) {
        (parts, height) = ([], 0)
        let large = max(size, lines == nil ? 12 : 9)
        for fact in poster.facts.prefix(6) {
            add(
                PaperSheet.Writing(
                    text: Poster.clean(fact.name, 60), isBold: true, size: large * 0.72, width: width), .grey, 0, sheet)
            add(
                PaperSheet.Writing(
                    text: Poster.clean(fact.value, 200), size: large, width: width, lines: lines == nil ? 2 : 1),
                .black, large * 0.4, sheet)
        }
        // Lines are counted in each paragraph, so what is cut is one.
        let text = Poster.clean(poster.text, 2000, keepsLines: lines == nil)
        guard !text.isEmpty else { return }
        add(
            PaperSheet.Writing(text: text, size: size, width: width, lines: lines?(height) ?? 80), .black, 0, sheet)
    }

    private mutating func add(
        _ writing: PaperSheet.Writing, _ colour: PaperSheet.Colour, _ space: Double, _ sheet: PaperSheet
    ) {
        parts.append((writing, colour, space))
        height += sheet.measure(writing).height + space
    }

    func draw(on sheet: PaperSheet, x: Double, y: Double) {
        var y = y
        for part in parts { y += sheet.write(part.writing, x: x, y: y, part.colour).height + part.space }
    }
}
