/// How an upload survives the process: what an earlier run had recorded, and where to record more.
public struct UploadCheckpoint: Sendable {
    /// What an earlier run recorded as the open session; a bearer secret at some stores, so never logged. Nil: none.
    public var session: String?
    /// Called with the session as soon as it exists, and with each number of bytes that the store has confirmed.
    /// Returns only when the journal has it.
    public var record: @Sendable (_ session: String?, _ confirmedBytes: Int64) async -> Void
    /// Told how many bytes are on their way, confirmed or not, for people to see. It must be quick, and may hear less than before
    /// when something is sent again.
    public var sent: @Sendable (_ bytes: Int64) -> Void = { _ in }

    public init(
        session: String? = nil,
        record: @escaping @Sendable (_ session: String?, _ confirmedBytes: Int64) async -> Void = { _, _ in }
    ) {
        self.session = session
        self.record = record
    }
}
