package import ChirpWeb
package import FoundationEssentials

/// What something has come to over time: a line with steps, drawn by the server, and below it the same as a table that anybody can open. Each
/// value holds until the next one, and the last one until now.
///
/// The picture has no text in it, so that it can be as narrow as a page is; what it shows is told in words, too.
package struct HistoryChart: Sendable {
    /// A value, and from when on it holds.
    package struct Point: Hashable, Sendable {
        package let since: Date
        /// How high the line is.
        package let value: Double
        /// The same as people read it, as in `12.3 s`.
        package let text: String
        /// Whose it is; may be empty.
        package let name: String
        /// Where more about it is, without the prefix; nil: nowhere.
        package let href: String?

        package init(since: Date, value: Double, text: String, name: String = "", href: String? = nil) {
            self.since = since
            self.value = value
            self.text = text
            self.name = name
            self.href = href.flatMap { $0.hasPrefix("/") && !$0.hasPrefix("//") && !$0.hasPrefix("/\\") ? $0 : nil }
        }
    }

    private let name: String
    private let measure: String
    private let points: [Point]
    private let now: Date
    private let prefix: String

    /// The size of the picture in its own units; it is stretched to its place.
    private static let (width, height) = (600, 160)
    /// More points stand so close that they are no points any more.
    private static let mostDots = 60
    /// The table has so many, the newest.
    private static let mostRows = 100
    private static let day = 24 * 3600.0
    /// What is said to be older is no instant that anybody meant.
    private static let earliest = Date(timeIntervalSince1970: -1e11)

    /// - Parameters:
    ///   - name: of what it is the history.
    ///   - measure: what the values are, the head of their column.
    ///   - points: in any order; of those of one instant the last one given is the last. What is no number, and what is still to come, is left out.
    ///   - now: where the line ends.
    ///   - prefix: of all addresses of the hub.
    package init(name: String, measure: String, points: [Point], now: Date, prefix: String) {
        self.name = name
        self.measure = measure
        self.now = now
        self.prefix = prefix
        // Sorting does not promise to leave equal ones in their order.
        self.points = points.enumerated()
            .filter { _, point in point.value.isFinite && point.since > Self.earliest && point.since <= now }
            .sorted { ($0.element.since, $0.offset) < ($1.element.since, $1.offset) }.map(\.element)
    }

    /// The figure; nothing without points.
    package var html: HTML {
        guard let first = points.first, let last = points.last, let low = points.min(by: { $0.value < $1.value }),
            let high = points.max(by: { $0.value < $1.value })
        else { return .nothing }
        let line = Line(first: first.since, end: now, low: low.value, high: high.value)
        let lowest: HTML =
            low.value == high.value ? .nothing : "<span aria-hidden=\"true\">\(low.text)</span>"
        return """
            <figure class="history"><figcaption>\(name)</figcaption>
            <div class="history-plot"><span aria-hidden="true">\(high.text)</span>\
            <svg class="history-line" viewBox="0 0 \(Self.width) \(Self.height)" preserveAspectRatio="none" role="img" \
            aria-label="\(description(first, last))"><path d="\(path(line))"/>\(dots(line))</svg>\(lowest)\
            <p class="history-days" aria-hidden="true"><span>\(Wording.day(first.since))</span>\
            <span>\(Wording.day(now))</span></p></div>
            <details><summary>\(word("history.table"))</summary>\(table)</details></figure>
            """
    }

    /// What the picture shows, in words.
    private func description(_ first: Point, _ last: Point) -> String {
        word(
            "history.line", count: points.count,
            [
                "name": name, "first": first.text, "begin": Wording.day(first.since), "last": last.text,
                "day": Wording.day(last.since),
            ])
    }

    /// Where instants and values are in the picture.
    private struct Line {
        let first: Date
        let end: Date
        let low: Double
        let high: Double
        /// Room for the points at the upper and the lower edge.
        static let rim = 10

        func x(_ instant: Date) -> Int {
            let all = end.timeIntervalSince(first)
            guard all > 0 else { return 0 }
            let share = min(max(instant.timeIntervalSince(first) / all, 0), 1)
            return Int(clamping: (share * Double(HistoryChart.width)).rounded())
        }

        func y(_ value: Double) -> Int {
            // Halves, since the difference of two great numbers may be none.
            let span = high / 2 - low / 2
            let share = span > 0 ? min(max((value / 2 - low / 2) / span, 0), 1) : 0.5
            return HistoryChart.height - Self.rim
                - Int(clamping: (share * Double(HistoryChart.height - 2 * Self.rim)).rounded())
        }
    }

    /// Of what is at one place from left to right the lowest, the highest and the last: a history of any length has a short path.
    private func path(_ line: Line) -> String {
        guard let first = points.first else { return "" }
        var (path, height) = ("M0 \(line.y(first.value))", line.y(first.value))
        var rest = points[...]
        while let next = rest.first {
            let column = line.x(next.since)
            let together = rest.prefix { line.x($0.since) == column }.map { line.y($0.value) }
            rest = rest.dropFirst(together.count)
            let turns = [together.min(), together.max(), together.last].compactMap { $0 }
            guard turns.contains(where: { $0 != height }) else { continue }
            path += "H\(column)"
            for turn in turns where turn != height {
                path += "V\(turn)"
                height = turn
            }
        }
        return "\(path)H\(Self.width)"
    }

    /// Lines of no length with round ends, which stay round however the picture is stretched.
    private func dots(_ line: Line) -> HTML {
        guard points.count <= Self.mostDots else { return .nothing }
        return HTML(
            joining: points.map { point in
                let told = [point.text, point.name, Wording.day(point.since)].filter { !$0.isEmpty }
                return """
                    <path class="history-dot" d="M\(line.x(point.since)) \(line.y(point.value))h.01">\
                    <title>\(told.joined(separator: ", "))</title></path>
                    """
            })
    }

    /// The newest first.
    private var table: HTML {
        let hasNames = points.contains { !$0.name.isEmpty }
        let whose: HTML = hasNames ? "<th scope=\"col\">\(word("history.whose"))</th>" : .nothing
        let ends = points.dropFirst().map(\.since) + [now]
        let rows = zip(points, ends).suffix(Self.mostRows).reversed().map { point, end -> HTML in
            let name: HTML =
                point.href.map { "<a href=\"\(prefix)\($0)\">\(point.name.isEmpty ? point.text : point.name)</a>" }
                ?? "\(point.name)"
            let (score, who): (HTML, HTML) = hasNames || point.href == nil ? ("\(point.text)", name) : (name, .nothing)
            let cell: HTML = hasNames ? "<td>\(who)</td>" : .nothing
            return """
                <tr><th scope="row"><time datetime="\(Self.machineDay(point.since))">\(Wording.day(point.since))</time></th>\
                <td>\(score)</td>\(cell)<td>\(length(from: point.since, to: end))</td></tr>
                """
        }
        let left = points.count - rows.count
        let more: HTML = left > 0 ? "<p>\(word("history.earlier", count: left))</p>" : .nothing
        return """
            <div class="wide" tabindex="0" role="region" aria-label="\(name)"><table><thead><tr>\
            <th scope="col">\(word("history.since"))</th><th scope="col">\(measure)</th>\(whose)\
            <th scope="col">\(word("history.length"))</th></tr></thead><tbody>\(HTML(joining: rows))</tbody></table></div>\(more)
            """
    }

    /// Whole days of 24 hours.
    private func length(from: Date, to end: Date) -> String {
        let days = Int(clamping: (end.timeIntervalSince(from) / Self.day).rounded(.down))
        return days < 1 ? word("history.less") : word("history.days", count: days)
    }

    /// A day alone is not put into the reader's zone.
    private static func machineDay(_ date: Date) -> String { UniversalTime(date).date }
}
