// What the modules use of swift-crypto, for the fuzz targets only: swiftc builds these without packages, and no input gets further
// through a better hash. The numbers are those of FNV-1a, drawn out.

public struct SHA256: Sendable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    public func finalize() -> [UInt8] { (0..<32).map { UInt8(truncatingIfNeeded: state >> (8 * UInt64($0 % 8))) } }

    public static func hash(data: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        data.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize()
    }
}

public enum Insecure {
    public struct MD5: Sendable {
        private var hash = SHA256()

        public init() {}

        public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

        public func finalize() -> [UInt8] { Array(hash.finalize().prefix(16)) }
    }
}

public struct SymmetricKey: Sendable {
    fileprivate let bytes: [UInt8]

    public init(data: [UInt8]) { bytes = data }
}

public enum HMAC<Hash> {
    public static func authenticationCode(for data: [UInt8], using key: SymmetricKey) -> [UInt8] {
        SHA256.hash(data: key.bytes + data)
    }
}
