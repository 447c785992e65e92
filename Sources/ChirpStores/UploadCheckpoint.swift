/// How an upload survives the process: what an earlier run had recorded, and where to record more.
public struct UploadCheckpoint: Sendable {
    /// What an earlier run recorded as the open session; a bearer secret at some stores, so never logged. Nil: none.
    public var session: String?
    /// Called with the session as soon as it exists, and with each number of bytes that the store has confirmed.
    /// Returns only when the journal has it.
    public var record: @Sendable (_ session: String?, _ confirmedBytes: Int64) async -> Void

    public init(
        session: String? = nil,
        record: @escaping @Sendable (_ session: String?, _ confirmedBytes: Int64) async -> Void = { _, _ in }
    ) {
        self.session = session
        self.record = record
    }
}
