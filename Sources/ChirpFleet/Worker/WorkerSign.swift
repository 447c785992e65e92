/// A sign of life that a worker gives every second or two, as JSON.
struct WorkerSign: Codable, Hashable, Sendable {
    var v = 1
    var id: String
    var host: String
    /// Clips at once.
    var lanes: Int
    var running: Int
    var made: Int
    var audioSeconds: Double
    /// It takes no more jobs.
    var isDraining: Bool
}
