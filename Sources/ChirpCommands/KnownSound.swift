internal import ChirpCommunity
internal import Synchronization

/// What the clip of one publication sounds like, as soon as that is known; read when the hub saves it.
package final class KnownSound: Sendable {
    private let sound: Mutex<HubSound?>

    init(_ sound: HubSound? = nil) { self.sound = Mutex(sound) }

    /// Nil when nothing measured the clip in this run.
    var value: HubSound? { sound.withLock { $0 } }

    func set(_ sound: HubSound) { self.sound.withLock { $0 = sound } }
}
