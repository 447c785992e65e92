/// Which IP addresses belong to the public Internet (IANA special-purpose registries, RFC 6890).
public enum PublicAddress {
    /// - Parameter bytes: 4 for IPv4, 16 for IPv6, in network order; any other number is not public.
    public static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: isPublic4(bytes)
        case 16: isPublic6(bytes)
        default: false
        }
    }

    private static func isPublic4(_ a: [UInt8]) -> Bool {
        switch (a[0], a[1], a[2]) {
        case (0, _, _), (10, _, _), (127, _, _): false
        case (100, 64...127, _): false  // carrier-grade NAT
        case (169, 254, _): false  // link-local, cloud metadata among them
        case (172, 16...31, _), (192, 168, _): false
        case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113): false  // protocol and documentation
        case (198, 18...19, _): false  // benchmarking
        case (224...255, _, _): false  // multicast and reserved
        default: true
        }
    }

    private static func isPublic6(_ a: [UInt8]) -> Bool {
        let leadingZeros = a.prefix { $0 == 0 }.count
        // IPv4-mapped, and the well-known NAT64 prefix: what counts is the IPv4 address within.
        if leadingZeros == 10, a[10] == 0xFF, a[11] == 0xFF { return isPublic4(Array(a[12...])) }
        if a.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return isPublic4(Array(a[12...])) }
        if a[0] == 0x20, a[1] == 0x02 { return isPublic4(Array(a[2..<6])) }  // 6to4
        if a.starts(with: [0x20, 0x01, 0x0D, 0xB8]) { return false }  // documentation
        if a[0] == 0x20, a[1] == 0x01, a[2] < 2 { return false }  // 2001::/23: protocol assignments, Teredo
        return a[0] & 0xE0 == 0x20  // 2000::/3
    }
}
