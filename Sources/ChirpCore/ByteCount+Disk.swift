extension ByteCount {
    public static func += (a: inout Self, b: Self) { a = a + b }

    /// So many blocks of a size, as `statvfs(3)` counts what is free; at most what 64 bits hold.
    public init(blocks: UInt64, of size: UInt64) {
        let (bytes, isTooMuch) = blocks.multipliedReportingOverflow(by: size)
        self.init(isTooMuch ? .max : Int64(clamping: bytes))
    }
}
