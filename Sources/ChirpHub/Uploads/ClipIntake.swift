public import ChirpCommunity

/// Makes clips of what members send. The hub decodes nothing itself: who does, whether a child of this process or another machine, is
/// decided where it is put together.
public struct ClipIntake: Sendable {
    /// What is wanted.
    public struct Order: Hashable, Sendable {
        /// What is taken in: the same for every try.
        public var id: String
        /// Where what was sent lies.
        public var input: String
        /// What its sender calls it, as plain text; never a path.
        public var name: String
        /// Of the clip.
        public var title: String
        /// What was sent hashes to, in lower-case hexadecimal.
        public var sha256: String
        /// Where the clip is to appear, whole; nil when what was sent is a clip that stays as it is, and is only looked at.
        public var goal: String?
        /// Where the clip begins and ends, in seconds of what was sent; nil: where sound does.
        public var from: Double?
        public var to: Double?

        public init(id: String, input: String, name: String, title: String, sha256: String, goal: String?) {
            self.id = id
            self.input = input
            self.name = name
            self.title = title
            self.sha256 = sha256
            self.goal = goal
        }

        /// The same for a part of what was sent.
        public func part(from: Double?, to: Double?) -> Order {
            var order = self
            (order.from, order.to) = (from, to)
            return order
        }
    }

    /// What was made, or found.
    public struct Made: Hashable, Sendable {
        /// Of the clip.
        public var bytes: Int64
        /// Lower-case hexadecimal.
        public var sha256: String
        /// 0 or more.
        public var seconds: Double
        /// The highest magnitudes of equally long stretches, 255 being full scale.
        public var peaks: [UInt8]
        /// What was found and done, as JSON.
        public var receipt: String?

        public init(bytes: Int64, sha256: String, seconds: Double, peaks: [UInt8], receipt: String? = nil) {
            self.bytes = bytes
            self.sha256 = sha256
            self.seconds = seconds
            self.peaks = peaks
            self.receipt = receipt
        }
    }

    /// Why there is no clip.
    public enum Failure: Error, Hashable {
        /// What was sent is not fit for one; the reason is for its sender.
        case refused(String)
        /// What read it has died.
        case died
        /// It may go better later; or never, since a file can cause any fault while it is read.
        case notNow(String)
        /// This machine cannot now, whatever was sent, since its disk is full or the like: it waits for as long as that takes.
        case unable(String)
    }

    /// Makes one, or looks at one. May be asked for the same again.
    public let make: @Sendable (Order) async throws(Failure) -> Made
    /// Looks at all of what was sent, for a picture of it with so many columns; makes nothing.
    public let outline: @Sendable (Order, _ columns: Int) async throws(Failure) -> HubSound
    /// How many may be made at once, 1 or more.
    public let lanes: Int

    public init(
        lanes: Int = 2,
        outline: @escaping @Sendable (Order, _ columns: Int) async throws(Failure) -> HubSound = {
            (_, _) throws(Failure) in HubSound(seconds: 0)
        },
        make: @escaping @Sendable (Order) async throws(Failure) -> Made
    ) {
        precondition(lanes >= 1)
        self.lanes = lanes
        self.outline = outline
        self.make = make
    }
}
