package import ChirpCommunity

/// Makes clips of what was fetched from strangers. Nothing is decoded here: who does is decided where it is put together.
package struct RemoteClipMaking: Sendable {
    package struct Order: Hashable, Sendable {
        /// The same for every try.
        package let clip: HubID
        /// Where what was fetched lies.
        package let input: String
        package let title: String
        /// What was fetched hashes to, in lower-case hexadecimal.
        package let sha256: String
        /// Where the clip is to appear, whole.
        package let goal: String
    }

    package struct Made: Hashable, Sendable {
        package let bytes: Int64
        /// Lower-case hexadecimal.
        package let sha256: String
        package let sound: HubSound

        package init(bytes: Int64, sha256: String, sound: HubSound) {
            (self.bytes, self.sha256, self.sound) = (bytes, sha256, sound)
        }
    }

    /// Why there is no clip.
    package enum Failure: Error, Hashable {
        /// It will never be one.
        case refused(String)
        /// What read it has died.
        case died
        /// It may go better later.
        case notNow(String)
    }

    /// May be asked for the same again.
    package let make: @Sendable (Order) async throws(Failure) -> Made

    package init(make: @escaping @Sendable (Order) async throws(Failure) -> Made) { self.make = make }
}
