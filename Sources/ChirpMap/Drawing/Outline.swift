internal import Glibc

/// Points of a line in a picture, and what is done to them before they are drawn.
enum Outline {
    /// A rectangle by two corners.
    struct Bounds {
        let least: SIMD2<Double>
        let most: SIMD2<Double>
    }

    /// What is left of an area inside a rectangle, whose edges it then follows (Sutherland and Hodgman's way).
    static func area(_ points: [SIMD2<Double>], in bounds: Bounds) -> [SIMD2<Double>] {
        var points = points
        for axis in 0..<2 {
            points = half(points, axis, bounds.least[axis], above: true)
            points = half(points, axis, bounds.most[axis], above: false)
        }
        return points
    }

    private static func half(_ points: [SIMD2<Double>], _ axis: Int, _ bound: Double, above: Bool) -> [SIMD2<Double>] {
        guard var before = points.last else { return [] }
        func isIn(_ point: SIMD2<Double>) -> Bool { above ? point[axis] >= bound : point[axis] <= bound }
        if points.allSatisfy(isIn) { return points }
        var result: [SIMD2<Double>] = []
        var wasIn = isIn(before)
        for point in points {
            let isInside = isIn(point)
            if isInside != wasIn {
                let part = (bound - before[axis]) / (point[axis] - before[axis])
                result.append(before + (point - before) * part)
            }
            if isInside { result.append(point) }
            (before, wasIn) = (point, isInside)
        }
        return result
    }

    /// The parts of a line that may be seen in a rectangle. A part goes on to the first point outside.
    static func parts(_ points: [SIMD2<Double>], in bounds: Bounds) -> [[SIMD2<Double>]] {
        var parts: [[SIMD2<Double>]] = []
        var part: [SIMD2<Double>] = []
        for (from, to) in zip(points, points.dropFirst()) {
            let (least, most) = (pointwiseMin(from, to), pointwiseMax(from, to))
            let isSeen =
                least.x <= bounds.most.x && least.y <= bounds.most.y && most.x >= bounds.least.x
                && most.y >= bounds.least.y
            if isSeen {
                if part.isEmpty { part.append(from) }
                part.append(to)
            } else if !part.isEmpty {
                parts.append(part)
                part = []
            }
        }
        return part.isEmpty ? parts : parts + [part]
    }

    /// Leaves out points that the others show within a tolerance: first those that are next to the one before, then in Douglas and
    /// Peucker's way.
    static func simplified(_ points: [SIMD2<Double>], tolerance: Double) -> [SIMD2<Double>] {
        guard let first = points.first, let last = points.last else { return [] }
        var near: [SIMD2<Double>] = [first]
        var kept = first
        let square = tolerance * tolerance / 2
        for point in points.dropFirst().dropLast() where squared(point - kept) > square {
            near.append(point)
            kept = point
        }
        if points.count > 1 { near.append(last) }
        guard near.count > 2 else { return near }
        var keep = [Bool](repeating: false, count: near.count)
        keep[0] = true
        keep[near.count - 1] = true
        var stack = [(0, near.count - 1)]
        while let (from, to) = stack.popLast() {
            var (far, worst) = (tolerance * tolerance, from)
            for index in from + 1..<max(from + 1, to) {
                let distance = squared(near[index], from: near[from], to: near[to])
                if distance > far { (far, worst) = (distance, index) }
            }
            guard worst > from else { continue }
            keep[worst] = true
            stack.append((from, worst))
            stack.append((worst, to))
        }
        return zip(near, keep).compactMap { $0.1 ? $0.0 : nil }
    }

    /// The same of a closed line: from its first point to the one that is farthest from it, and back.
    static func simplified(ring points: [SIMD2<Double>], tolerance: Double) -> [SIMD2<Double>] {
        guard let first = points.first else { return [] }
        let far = points.indices.max { squared(points[$0] - first) < squared(points[$1] - first) } ?? 0
        let there = simplified(Array(points[...far]), tolerance: tolerance)
        let back = simplified(Array(points[far...]) + [first], tolerance: tolerance)
        return there.dropLast() + back.dropLast()
    }

    private static func squared(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum() }

    /// The square of the distance to a piece of a straight line.
    private static func squared(_ point: SIMD2<Double>, from: SIMD2<Double>, to: SIMD2<Double>) -> Double {
        let way = to - from
        let length = squared(way)
        guard length > 0 else { return squared(point - from) }
        let part = min(1, max(0, ((point - from) * way).sum() / length))
        return squared(point - from - way * part)
    }
}

/// The text of a path in SVG, in whole numbers.
struct PathText {
    private(set) var text = ""

    /// Adds a line; what comes down to a single point is left out.
    mutating func add(_ points: [SIMD2<Double>], isClosed: Bool) {
        let whole = points.map { SIMD2<Int>(Int(clamping: $0.x.rounded()), Int(clamping: $0.y.rounded())) }
        guard var before = whole.first else { return }
        var line = ""
        for point in whole.dropFirst() where point != before {
            let step = point &- before
            // Numbers need a space between them only where the second has no sign.
            line += line.isEmpty || step.x < 0 ? "" : " "
            line += "\(step.x)\(step.y < 0 ? "" : " ")\(step.y)"
            before = point
        }
        guard let first = whole.first, !line.isEmpty else { return }
        text += "M\(first.x) \(first.y)l\(line)\(isClosed ? "z" : "")"
    }
}
