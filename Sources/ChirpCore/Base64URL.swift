internal import FoundationEssentials

extension Sequence<UInt8> {
    /// Base 64 for addresses and cookies (RFC 4648, section 5), without padding.
    package var base64URL: String {
        Data(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// Base 64 for addresses, cookies and signed tokens (RFC 4648, section 5; RFC 7515, section 2), without padding.
package enum Base64URL {
    /// Nil for anything else, padding and line ends included.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var plain = ""
        plain.reserveCapacity(text.utf8.count + 3)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": plain.unicodeScalars.append(scalar)
            case "-": plain.append("+")
            case "_": plain.append("/")
            default: return nil
            }
        }
        while plain.utf8.count % 4 != 0 { plain.append("=") }
        return Data(base64Encoded: plain).map(Array.init)
    }
}
