import ChirpBoards
import ChirpWeb
import Foundation
import Testing

/// A history as a line (OU-3): what the picture shows is in its words and in the table, too.
@Suite struct HistoryChartTests {
    private typealias Point = HistoryChart.Point
    /// 1 November 2026.
    private static let start = Date(timeIntervalSince1970: 1_793_491_200)

    private func date(_ days: Double) -> Date { Self.start.addingTimeInterval(days * 86_400) }

    private func text(_ points: [Point], after days: Double = 100) -> String {
        HistoryChart(name: "Stairs", measure: "Seconds", points: points, now: date(days), prefix: "/hub").html.text
    }

    private func path(_ html: String) -> String? { html.firstMatch(of: /<path d="([^"]*)"/).map { String($0.1) } }

    @Test func `each value holds until the next one, and the last until now`() {
        let html = text([
            Point(since: date(0), value: 20, text: "20 s", name: "Ann"),
            Point(since: date(25), value: 15, text: "15 s"),
            Point(since: date(50), value: 10, text: "10 s", name: "Bob", href: "/challenges/1"),
        ])
        // From the highest, 10 below the upper edge, to the lowest, 10 above the lower one.
        #expect(path(html) == "M0 10H150V80H300V150H600")
        #expect(html.contains("M300 150h.01\"><title>10 s, Bob, 21 December 2026</title>"))
        #expect(
            html.contains(
                "aria-label=\"Stairs: 3 values, from 20 s on 1 November 2026 to 10 s since 21 December 2026\""))
        #expect(html.contains("<a href=\"/hub/challenges/1\">Bob</a>"))
        let rows = html.matches(of: /<tr><th scope="row">.*?<\/tr>/).map { String($0.0) }
        #expect(rows.count == 3)
        #expect(rows.first?.contains("<time datetime=\"2026-12-21\">21 December 2026</time>") == true)
        #expect(rows.first?.contains("<td>10 s</td>") == true && rows.first?.contains("<td>50 days</td>") == true)
        #expect(rows.last?.contains("<td>Ann</td>") == true && rows.last?.contains("<td>25 days</td>") == true)
    }

    @Test func `the order in which they are given makes no difference, and what cannot be drawn is left out`() {
        let points = [
            Point(since: date(50), value: 10, text: "10"), Point(since: date(0), value: 20, text: "20"),
            Point(since: date(25), value: 15, text: "15"),
        ]
        let nonsense = [
            Point(since: date(30), value: .nan, text: "x"), Point(since: date(101), value: 1, text: "later"),
            Point(since: date(30), value: .infinity, text: "x"), Point(since: .distantFuture, value: 1, text: "x"),
            Point(since: Date(timeIntervalSince1970: -.infinity), value: 1, text: "x"),
        ]
        #expect(text(points) == text(points.reversed()))
        #expect(text(points + nonsense) == text(points))
        #expect(text(nonsense).isEmpty && text([]).isEmpty)
    }

    @Test func `one value is a line that goes straight on, and one of this moment is there`() {
        let one = text([Point(since: date(0), value: 7, text: "7")])
        #expect(path(one) == "M0 80H600" && one.contains("aria-label=\"Stairs: 7 since 1 November 2026\""))
        #expect(!one.contains(">By<"))
        let now = text([Point(since: date(100), value: 7, text: "7")])
        #expect(path(now) == "M0 80H600" && now.contains("less than a day"))
        for value in [Double.greatestFiniteMagnitude, -Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0] {
            let html = text([
                Point(since: date(0), value: value, text: "a"),
                Point(since: date(1), value: -.greatestFiniteMagnitude, text: "b"),
                Point(since: date(2), value: .greatestFiniteMagnitude, text: "c"),
            ])
            #expect(path(html)?.hasSuffix("V10H600") == true)
        }
    }

    @Test func `a history of any length has a short path and a table that ends`() {
        let many = (0..<20_000).map { number in
            Point(since: date(Double(number) / 200), value: Double(number % 97), text: "\(number)")
        }
        let html = text(many)
        #expect((path(html)?.utf8.count ?? .max) < 20_000)
        #expect(!html.contains("history-dot") && html.contains("And 19900 before that"))
        #expect(html.matches(of: /<tr><th scope="row">/).count == 100)
        #expect(html.utf8.count < 50_000)
    }

    @Test func `what is written into it is escaped and leads nowhere else`() {
        let evil = "<img src=x onerror=alert(1)>\"'"
        for href in ["javascript:alert(1)", "//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example"]
        {
            let points = [Point(since: date(0), value: 1, text: evil, name: evil, href: href)]
            let html = HistoryChart(name: evil, measure: evil, points: points, now: date(1), prefix: "").html.text
            #expect(!html.contains("<img") && !html.contains("javascript") && !html.contains("elsewhere"))
            #expect(!html.contains("style=\""))
        }
    }

    @Test func `it is told in the visitor's language`() {
        let html = Language.$current.withValue(.german) {
            text([Point(since: date(0), value: 1, text: "1 s"), Point(since: date(9), value: 2, text: "2 s")])
        }
        #expect(html.contains("Stairs: 2 Werte, von 1 s am 1. November 2026 bis 2 s seit 10. November 2026"))
        #expect(html.contains("Als Tabelle"))
    }
}
