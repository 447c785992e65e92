package import ChirpCore

/// The room of a library.
package struct HubRoom: Hashable, Sendable {
    /// The most that all clips together may take; nil when only the disk is a limit.
    package var limit: ByteCount?
    /// What the clips take.
    package var used: ByteCount
    /// What more they may take.
    package var free: ByteCount
}
