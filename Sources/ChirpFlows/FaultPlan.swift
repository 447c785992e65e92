internal import Synchronization

/// Where to stop on purpose: a fault point, and the how manieth time it is reached.
public final class FaultPlan: Sendable {
    public let point: FaultPoint
    private let remaining: Mutex<Int>

    /// - Parameter count: 1 for the first time the point is reached.
    public init(_ point: FaultPoint, count: Int = 1) {
        self.point = point
        remaining = Mutex(count)
    }

    /// From text such as `saved` or `uploading:3`; nil when it is neither.
    public convenience init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, let point = FaultPoint(rawValue: String(name)), parts.count <= 2 else {
            return nil
        }
        guard parts.count == 2 else {
            self.init(point)
            return
        }
        guard let count = Int(parts[1]), count >= 1 else { return nil }
        self.init(point, count: count)
    }

    /// Whether it is time, now that a point has been reached.
    public func isDue(at point: FaultPoint) -> Bool {
        guard point == self.point else { return false }
        return remaining.withLock { remaining in
            remaining -= 1
            return remaining == 0
        }
    }
}
