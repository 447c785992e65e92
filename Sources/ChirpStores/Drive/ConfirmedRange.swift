/// The `Range` of a 308 answer: what a resumable upload has safely.
package enum ConfirmedRange {
    /// How many bytes from the beginning; 0 without the field ("no Range header means nothing was kept") and for anything that is
    /// not `bytes=0-N`.
    package static func bytes(_ field: String?) -> Int64 {
        guard let field, field.hasPrefix("bytes=0-"), let last = Int64(field.dropFirst(8)), last >= 0, last < .max
        else { return 0 }
        return last + 1
    }
}
