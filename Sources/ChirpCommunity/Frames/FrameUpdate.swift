package import FoundationEssentials

/// Something to be shown on a frame, in the order in which it came.
package struct FrameUpdate: Hashable, Sendable, Identifiable {
    package enum Kind: String, Hashable, Sendable { case post, message }

    /// Its place in the order: greater than those before, and used once.
    package let id: Int64
    package let kind: Kind
    /// At this hub, its post, as long as the frame may see it.
    package let post: HubPost?
    /// From another network, for whoever has the hub's key.
    package let sealed: [UInt8]?
    package let created: Date
    package let isShown: Bool
}

/// What was found at another network and is to be shown.
package struct FrameFinding: Hashable, Sendable {
    /// The network's own name for it.
    package let origin: String
    package let kind: FrameUpdate.Kind
    package let sealed: [UInt8]
    package let created: Date

    package init(origin: String, kind: FrameUpdate.Kind, sealed: [UInt8], created: Date) {
        (self.origin, self.kind, self.sealed, self.created) = (origin, kind, sealed, created)
    }
}
