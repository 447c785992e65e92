internal import ChirpCommunity
internal import ChirpCore
package import ChirpOwnHub
internal import ChirpStores
internal import Logging

// The sound of the hub's older clips, which a store may keep.
extension Wiring {
    /// Where it is kept; nil: in the hub's folder.
    func clipShelf() throws -> ClipShelf? {
        let config = session.config
        return try config.hubMediaStore.value.map { ClipShelf(try privateStore($0, at: .clips(config))) }
    }

    /// Who fetches it for a library; nil when nothing is kept elsewhere.
    ///
    /// The library is a part of a wiring, and this needs one, so it makes its own when the first clip is fetched.
    static func awaySound(_ session: Session) -> AwaySound? {
        guard session.config.hubMediaStore.value != nil else { return nil }
        let wiring = Lazy { () throws(Never) -> Wiring in Wiring(session: session) }
        let shelf = Lazy { () throws -> ClipShelf? in try wiring.get().clipShelf() }
        return AwaySound { clip, goal in
            do {
                try await shelf.get()?.fetch(clip, to: goal)
            } catch {
                let why = (error as? any Explained)?.whatHappened ?? "\(error)"
                wiring.get().logger().warning("the sound of \(clip.clip.text) cannot be fetched: \(why)")
            }
        }
    }

    /// Moves it while the hub is served; nil when nobody has asked for it. A hub to try things on takes nothing away from the real one.
    package func clipMoves() throws -> ClipMoves? {
        let config = session.config
        guard let shelf = try clipShelf(), !config.hubStaging.value else { return nil }
        let logger = logger()
        let plan = ClipMoves.Plan(after: config.hubMediaAfter.value.seconds, keep: config.hubMediaKeep.value?.count)
        return ClipMoves(try hubLibrary(), to: shelf, plan: plan) { event in
            switch event {
            case .moved(let stored, let letGo, let removed):
                logger.info(
                    "clips in \(shelf.place): \(stored) stored, \(letGo) no longer here, \(removed) removed there")
            case .failed(let why): logger.warning("clips are not all moved now: \(why)")
            }
        }
    }
}
