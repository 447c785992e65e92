package import ChirpCommunity

/// Makes what is shown of films that members send. The hub decodes nothing itself: who does is decided where it is put together.
public struct FilmIntake: Sendable {
    /// What is wanted.
    package struct Order: Hashable, Sendable {
        /// Where what was sent lies; it stays as it is.
        package let input: String
        /// What its sender calls it, as plain text; never a path.
        package let name: String
        /// Where in the film the timer begins that the shown copy gets, in ms; nil for none.
        package let timer: Int?
        /// Where each file that is made appears, whole; there is none for what was sent.
        package let goals: [HubFilm.File: String]
    }

    /// The largest film that is taken, in bytes.
    package static let mostBytes: Int64 = 100_000_000

    /// Makes the files of a film; without sound in it there is none of sound, and without a timer none without it. May be asked for the same again.
    let make: @Sendable (Order) async throws(ClipIntake.Failure) -> HubFilm.Facts

    package init(_ make: @escaping @Sendable (Order) async throws(ClipIntake.Failure) -> HubFilm.Facts) {
        self.make = make
    }
}
