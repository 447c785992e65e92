internal import FoundationEssentials

extension Sequence<UInt8> {
    /// Base 64 for addresses and cookies (RFC 4648, section 5), without padding.
    package var base64URL: String {
        Data(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
