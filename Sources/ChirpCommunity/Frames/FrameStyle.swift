internal import FoundationEssentials

/// How a frame shows what comes, all in one place. Times of an update are whole milliseconds.
package struct FrameStyle: Codable, Hashable, Sendable {
    package var fadeIn = 500
    package var stay = 2000
    package var fadeOut = 500
    /// Between two updates.
    package var gap = 1000
    /// Text that takes longer than ``stay`` to read stays longer.
    package var takeYourTime = false
    package var dims = true
    /// Times of day, as in "22:00".
    package var dimFrom = "22:00"
    package var dimTo = "07:00"
    /// Updates are read aloud.
    package var spoken = false
    package var quietFrom = "22:00"
    package var quietTo = "07:00"
    /// Who stands before it may answer by voice.
    package var answers = false
    /// Of speech; 1 is as usual.
    package var rate = 1.0

    package init() {}

    /// What was kept before a field was known has its usual value.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<T: Decodable>(_ key: CodingKeys, _ usual: T) throws -> T {
            try values.decodeIfPresent(T.self, forKey: key) ?? usual
        }
        fadeIn = try read(.fadeIn, fadeIn)
        stay = try read(.stay, stay)
        fadeOut = try read(.fadeOut, fadeOut)
        gap = try read(.gap, gap)
        takeYourTime = try read(.takeYourTime, takeYourTime)
        dims = try read(.dims, dims)
        dimFrom = try read(.dimFrom, dimFrom)
        dimTo = try read(.dimTo, dimTo)
        spoken = try read(.spoken, spoken)
        quietFrom = try read(.quietFrom, quietFrom)
        quietTo = try read(.quietTo, quietTo)
        answers = try read(.answers, answers)
        rate = try read(.rate, rate)
    }

    /// What is wrong with it, by the names of fields; empty when nothing is.
    package var mistakes: [String] {
        let times: [(String, Int, Int)] = [
            ("fadeIn", fadeIn, 10_000), ("stay", stay, 600_000), ("fadeOut", fadeOut, 10_000), ("gap", gap, 600_000),
        ]
        let days = [("dimFrom", dimFrom), ("dimTo", dimTo), ("quietFrom", quietFrom), ("quietTo", quietTo)]
        return times.filter { !(0...$0.2).contains($0.1) }.map(\.0)
            + days.filter { !Self.isTime($0.1) }.map(\.0)
            + ((0.5...2).contains(rate) ? [] : ["rate"])
    }

    private static func isTime(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            parts[0].integer(in: 0...23) != nil, parts[1].integer(in: 0...59) != nil
        else { return false }
        return true
    }
}

/// Which part of a photo fills the screen.
package struct FrameCrop: Codable, Hashable, Sendable {
    /// Of the part's middle, 0...1 of the photo's width and height.
    package var x = 0.5
    package var y = 0.5
    /// 1 shows as much as fills the screen, 8 an eighth of that.
    package var zoom = 1.0

    package init() {}

    package init(x: Double, y: Double, zoom: Double) { (self.x, self.y, self.zoom) = (x, y, zoom) }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        x = try values.decodeIfPresent(Double.self, forKey: .x) ?? 0.5
        y = try values.decodeIfPresent(Double.self, forKey: .y) ?? 0.5
        zoom = try values.decodeIfPresent(Double.self, forKey: .zoom) ?? 1
    }

    /// What is wrong with it, by the names of fields; empty when nothing is.
    package var mistakes: [String] {
        ((0...1).contains(x) ? [] : ["x"]) + ((0...1).contains(y) ? [] : ["y"])
            + ((1...8).contains(zoom) ? [] : ["zoom"])
    }
}
