package import ChirpMusic

/// Makes previews in which a voice begins elsewhere for each listener, and hears when it speaks in a copy of one. The hub decodes nothing itself: who does
/// is decided where it is put together. Everything may be asked for again; then the same comes of it.
package struct ListenerTagging: Sendable {
    package typealias Failure = TrackMaking.Failure

    /// What all previews of a track are made with. It is kept, since beats and voices of a later release may be others.
    package struct Ground: Hashable, Sendable {
        /// Where the voice may be heard.
        package let slots: TagSlots
        /// The pattern of the preview that everybody hears; nil: it has none.
        package let common: TagPlan?
        /// What is said, as a WAV.
        package let voice: [UInt8]

        package init(slots: TagSlots, common: TagPlan?, voice: [UInt8]) {
            (self.slots, self.common, self.voice) = (slots, common, voice)
        }
    }

    /// One preview.
    package struct Order: Hashable, Sendable {
        /// Where what was sent lies; it stays as it is.
        package let master: String
        /// As they stand in the preview's tags.
        package let title, person: String
        package let voice: [UInt8]
        /// Where the voice begins, in seconds, ascending.
        package let places: [Double]
        /// Where the preview appears, whole.
        package let goal: String

        package init(
            master: String, title: String, person: String, voice: [UInt8], places: [Double], goal: String
        ) {
            (self.master, self.title, self.person) = (master, title, person)
            (self.voice, self.places, self.goal) = (voice, places, goal)
        }
    }

    /// Says where a voice may be heard in a master, a path.
    ///
    /// - Parameters:
    ///   - id: as ``TrackMaking/Order/id``: the preview for everybody has its pattern.
    ///   - person: as the voice says it.
    package let prepare: @Sendable (_ master: String, _ id: String, _ person: String) async throws(Failure) -> Ground
    package let make: @Sendable (Order) async throws(Failure) -> Void
    /// Listens to what may be a copy of a preview, a path, as is the master.
    package let hear: @Sendable (_ copy: String, _ master: String, _ voice: [UInt8]) async throws(Failure) -> TaggedLeak

    package init(
        prepare: @escaping @Sendable (String, String, String) async throws(Failure) -> Ground,
        make: @escaping @Sendable (Order) async throws(Failure) -> Void,
        hear: @escaping @Sendable (String, String, [UInt8]) async throws(Failure) -> TaggedLeak
    ) { (self.prepare, self.make, self.hear) = (prepare, make, hear) }
}
