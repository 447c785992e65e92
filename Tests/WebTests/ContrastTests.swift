import ChirpWeb
import Foundation
import Testing

/// Colours of the pages against WCAG 2.2 (CH-13): 7:1 for text (1.4.6), 3:1 for what must be seen (1.4.11).
@Suite struct ContrastTests {
    private struct Pair: Sendable, CustomStringConvertible {
        let front: String
        let back: String
        let least: Double
        var description: String { "\(front) on \(back)" }
    }

    @Test(arguments: [0, 1])
    func `text and controls stand out in light and in dark`(scheme: Int) throws {
        let css = String(decoding: try #require(Asset.styles["chirp"]).bytes, as: UTF8.self)
        // The light values stand in the first block of variables, the dark ones in the second.
        let blocks = css.components(separatedBy: ":root {").dropFirst().map { $0.prefix { $0 != "}" } }
        var colours: [String: [Double]] = [:]
        for declaration in blocks[scheme].split(separator: ";") {
            let parts = declaration.split(separator: ":").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            if parts.count == 2, parts[1].hasPrefix("#"), let value = Int(parts[1].dropFirst(), radix: 16) {
                colours[parts[0]] = [value >> 16, value >> 8 & 255, value & 255].map { Double($0) / 255 }
            }
        }
        let pairs = [
            Pair(front: "--text", back: "--ground", least: 7), Pair(front: "--text", back: "--card", least: 7),
            Pair(front: "--soft", back: "--ground", least: 7), Pair(front: "--soft", back: "--card", least: 7),
            Pair(front: "--accent", back: "--ground", least: 7), Pair(front: "--accent", back: "--card", least: 7),
            Pair(front: "--on-accent", back: "--accent", least: 7), Pair(front: "--problem", back: "--card", least: 7),
            Pair(front: "--edge", back: "--card", least: 3), Pair(front: "--bars", back: "--card", least: 3),
        ]
        for pair in pairs {
            let front = luminance(try #require(colours[pair.front]))
            let back = luminance(try #require(colours[pair.back]))
            let ratio = (max(front, back) + 0.05) / (min(front, back) + 0.05)
            #expect(ratio >= pair.least, "\(pair): \(ratio)")
        }
    }

    /// WCAG 2.2, "relative luminance".
    private func luminance(_ colour: [Double]) -> Double {
        let linear = colour.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
