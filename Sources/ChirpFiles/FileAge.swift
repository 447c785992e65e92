/// How long ago a file was written, by clocks that may say anything: a file's time can be set to any number of 64 bits.
package enum FileAge {
    /// - Parameters:
    ///   - then: when it was written, in seconds since 1970.
    ///   - now: the same of the clock on the wall.
    /// - Returns: seconds; negative for a file from the future. What 64 bits cannot hold stops at their ends.
    package static func seconds(from then: Int, to now: Int) -> Int {
        let (age, overflow) = now.subtractingReportingOverflow(then)
        return overflow ? (now < 0 ? .min : .max) : age
    }
}
