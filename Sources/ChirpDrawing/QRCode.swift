internal import CQRCode

/// A text as a square of light and dark squares that cameras read (ISO/IEC 18004), without the light border that it needs.
package struct QRCode: Hashable, Sendable {
    /// Squares in a row.
    package let width: Int
    /// Row by row; 1 is dark.
    package let squares: [UInt8]

    /// How much of it may be torn off or dirty.
    package enum Spare: Int32, Hashable, Sendable {
        /// 7 %.
        case least = 0
        /// 15 %.
        case some = 1
        /// 25 %.
        case quarter = 2
    }

    /// - Throws: where libqrencode is not installed, and for more than 1,000 bytes: their squares would be too small for paper.
    package init(_ text: String, keeping spare: Spare) throws(Poster.Failure) {
        if let reason = chirp_qrcode_load() { throw Poster.Failure(description: String(cString: reason)) }
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 1000 else { throw Poster.Failure(description: "the link is too long") }
        let most = Int(chirp_qrcode_most)
        var squares = [UInt8](repeating: 0, count: most * most)
        let width = Int(chirp_qrcode_make(bytes, Int32(bytes.count), spare.rawValue, &squares))
        guard width > 0 else { throw Poster.Failure(description: "the code cannot be made") }
        self.width = width
        self.squares = Array(squares.prefix(width * width))
    }
}
