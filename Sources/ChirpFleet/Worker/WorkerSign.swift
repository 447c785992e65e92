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

    /// What is longer is none.
    static let mostBytes = 4096

    /// Whether it can be one: signs come from the network.
    var isPlausible: Bool {
        v == FleetJob.version && QueueNames.isToken(id) && host.utf8.count <= 255 && (1...10_000).contains(lanes)
            && (0...lanes).contains(running) && made >= 0 && (0...1e15).contains(audioSeconds)
    }
}
