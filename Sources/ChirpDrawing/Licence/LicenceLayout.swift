/// Where everything of a licence stands: laid out once to know how many pages there are, then drawn.
struct LicenceLayout {
    let paper: LicencePaper
    /// That of the seal.
    let code: QRCode?
    let sheet: PaperSheet

    private typealias Box = PaperSheet.Box
    private typealias Writing = PaperSheet.Writing
    private typealias Colour = PaperSheet.Colour

    /// Something with its place on a page.
    private enum Mark {
        case text(Writing, x: Double, y: Double, Colour)
        /// Of what is spread over pages: from one line on.
        case lines(Writing, from: Int, room: Double, y: Double)
        case rule(y: Double)
        case ground(Box)
        case code(QRCode, x: Double, y: Double, size: Double)
    }

    private var pages: [[Mark]] = [[]]
    private var y = Self.top

    init(paper: LicencePaper, code: QRCode?, sheet: PaperSheet) {
        self.paper = paper
        self.code = code
        self.sheet = sheet
    }

    /// In points: 2 cm at the sides, as letters have.
    private static let margin = 57.0
    private static let top = 54.0
    private static let bottom = PaperSheet.height - 66
    private static let inner = PaperSheet.width - 2 * margin
    /// What a heading wants below it, so that it does not stand alone at the end of a page.
    private static let least = 42.0
    /// Where values stand beside their names.
    private static let aside = 130.0

    // MARK: Placing

    /// Places everything. It draws nothing.
    mutating func lay() throws(LicencePaper.Failure) {
        title()
        for part in paper.parts {
            switch part {
            case .heading(let text): heading(text)
            case .paragraph(let text): try paragraph(text)
            case .facts(let facts): for fact in facts { try self.fact(fact) }
            case .table(let table): try self.table(table)
            }
        }
        if let seal = paper.seal { try self.seal(seal) }
        guard pages.count <= LicencePaper.mostPages else { throw tooLong }
    }

    private var tooLong: LicencePaper.Failure {
        .init(description: "a licence has at most \(LicencePaper.mostPages) pages")
    }

    private mutating func put(_ mark: Mark) { pages[pages.count - 1].append(mark) }

    private mutating func turn() throws(LicencePaper.Failure) {
        guard pages.count < LicencePaper.mostPages else { throw tooLong }
        pages.append([])
        y = Self.top
    }

    private mutating func title() {
        let title = Writing(
            text: PrintedText.clean(paper.title, 200), isBold: true, size: 20, width: Self.inner, lines: 2)
        put(.text(title, x: Self.margin, y: y, .black))
        y += sheet.measure(title).height + 4
        let below = Writing(text: PrintedText.clean(paper.subtitle, 300), size: 11, width: Self.inner, lines: 2)
        if !below.text.isEmpty {
            put(.text(below, x: Self.margin, y: y, .grey))
            y += sheet.measure(below).height
        }
        y += 8
        put(.rule(y: y))
        y += 6
    }

    private mutating func heading(_ text: String) {
        let writing = Writing(
            text: PrintedText.clean(text, 200), isBold: true, size: 12, width: Self.inner, lines: 2)
        let height = sheet.measure(writing).height
        if y + 10 + height + Self.least > Self.bottom, y > Self.top {
            pages.append([])
            y = Self.top
        } else {
            y += 10
        }
        put(.text(writing, x: Self.margin, y: y, .black))
        y += height + 4
    }

    private mutating func paragraph(_ text: String) throws(LicencePaper.Failure) {
        let printed = PrintedText(text, most: LicencePaper.longestParagraph)
        guard printed.isWhole else {
            throw .init(description: "a paragraph has at most \(LicencePaper.longestParagraph) letters")
        }
        guard !printed.text.isEmpty else { return }
        let writing = Writing(text: printed.text, size: 9.5, width: Self.inner, lines: LicencePaper.longestParagraph)
        var line = 0
        while true {
            let room = Self.bottom - y
            let extent = sheet.write(writing, from: line, room: room, draws: false)
            put(.lines(writing, from: line, room: room, y: y))
            y += extent.height
            line += extent.lines
            guard extent.isCut else { break }
            try turn()
        }
        y += 5
    }

    private mutating func fact(_ fact: LicencePaper.Fact, isCode: Bool = false) throws(LicencePaper.Failure) {
        let (name, value, height) = writings(of: fact, isCode: isCode)
        if y + height > Self.bottom { try turn() }
        put(.text(name, x: Self.margin, y: y + 0.5, .grey))
        put(.text(value, x: Self.margin + Self.aside, y: y, .black))
        y += height + 3
    }

    private func writings(of fact: LicencePaper.Fact, isCode: Bool) -> (name: Writing, value: Writing, height: Double) {
        let name = Writing(
            text: PrintedText.clean(fact.name, 60), isBold: true, size: 9, width: Self.aside - 8, lines: 2)
        let value = Writing(
            text: Self.value(fact.value), size: isCode ? 7.5 : 9.5, width: Self.inner - Self.aside, lines: 40,
            isAddress: isCode)
        return (name, value, max(sheet.measure(name).height, sheet.measure(value).height))
    }

    /// A value begins beside its name, whichever way its letters run.
    private static func value(_ text: String) -> String {
        "\u{200E}\u{2068}" + PrintedText.clean(text, LicencePaper.longestValue) + "\u{2069}"
    }

    // MARK: Tables

    private mutating func table(_ table: LicencePaper.Table) throws(LicencePaper.Failure) {
        let shares = table.columns.reduce(0) { $0 + $1.share }
        let widths = table.columns.map { Self.inner * $0.share / shares }
        func cells(_ texts: [String], isTitle: Bool) -> [Writing] {
            table.columns.indices.map { index in
                let isCode = table.columns[index].isCode && !isTitle
                return Writing(
                    text: Self.value(index < texts.count ? texts[index] : ""),
                    isBold: isTitle, size: isCode ? 7.5 : 9, width: widths[index] - 10, lines: 40, isAddress: isCode)
            }
        }
        let titles = cells(table.columns.map(\.title), isTitle: true)
        try row(titles, widths, isTitle: true, below: 24)
        for texts in table.rows {
            let cells = cells(texts, isTitle: false)
            if y + height(of: cells) > Self.bottom {
                try turn()
                try row(titles, widths, isTitle: true, below: 0)
            }
            try row(cells, widths, isTitle: false, below: 0)
        }
        y += 6
    }

    private func height(of cells: [Writing]) -> Double {
        (cells.map { sheet.measure($0).height }.max() ?? 0) + 7
    }

    /// - Parameter room: what has to fit below it.
    private mutating func row(
        _ cells: [Writing], _ widths: [Double], isTitle: Bool, below room: Double
    ) throws(LicencePaper.Failure) {
        let height = height(of: cells)
        if y + height + room > Self.bottom, y > Self.top { try turn() }
        if isTitle { put(.ground(Box(x: Self.margin, y: y, width: Self.inner, height: height))) }
        var x = Self.margin
        for (cell, width) in zip(cells, widths) {
            put(.text(cell, x: x + 5, y: y + 3, .black))
            x += width
        }
        y += height
        put(.rule(y: y))
    }

    // MARK: The seal

    private mutating func seal(_ seal: LicencePaper.Seal) throws(LicencePaper.Failure) {
        let size = 104.0
        // It stands on one page, with its codes.
        let codes = seal.codes.reduce(0) { $0 + writings(of: $1, isCode: true).height + 3 }
        if y + 30 + size + codes > Self.bottom, y > Self.top { try turn() }
        heading(seal.heading)
        let start = y
        let width = Self.inner - size - 14
        let texts = [
            Writing(text: PrintedText.clean(seal.text, 600), size: 9.5, width: width, lines: 8),
            Writing(text: PrintedText.clean(seal.link, 1000), size: 9.5, width: width, lines: 20, isAddress: true),
        ]
        for text in texts {
            let height = sheet.measure(text).height
            put(.text(text, x: Self.margin, y: y, .black))
            y += height + 6
        }
        if let code {
            put(.code(code, x: Self.margin + Self.inner - size, y: start - 4, size: size))
        }
        y = max(y, start + size)
        for code in seal.codes { try fact(code, isCode: true) }
    }

    // MARK: Drawing

    /// Draws what was placed, and what stands on every page.
    func draw() {
        for (index, page) in pages.enumerated() {
            if index > 0 { sheet.turnPage() }
            for mark in page { draw(mark) }
            foot(page: index + 1)
        }
    }

    private func draw(_ mark: Mark) {
        switch mark {
        case .text(let writing, let x, let y, let colour): sheet.write(writing, x: x, y: y, colour)
        case .lines(let writing, let line, let room, let y):
            sheet.write(writing, from: line, room: room, x: Self.margin, y: y)
        case .rule(let y):
            sheet.line(fromX: Self.margin, y: y, toX: Self.margin + Self.inner, y: y, isDashed: false)
        case .ground(let box): sheet.fill(box, Colour(red: 0.93, green: 0.93, blue: 0.93))
        case .code(let code, let x, let y, let size): sheet.draw(code, x: x, y: y, size: size)
        }
    }

    private func foot(page: Int) {
        let y = Self.bottom + 22
        sheet.line(fromX: Self.margin, y: y - 6, toX: Self.margin + Self.inner, y: y - 6, isDashed: false)
        let words = paper.pageWords.replacing("{page}", with: "\(page)").replacing("{pages}", with: "\(pages.count)")
        let number = Writing(text: PrintedText.clean(words, 60), size: 8, width: 150)
        let footer = Writing(text: PrintedText.clean(paper.footer, 200), size: 8, width: Self.inner - 160)
        let right = Self.margin + Self.inner
        sheet.write(footer, x: Self.margin, y: y, .grey)
        sheet.write(number, x: right - sheet.measure(number).width, y: y, .grey)
    }
}
