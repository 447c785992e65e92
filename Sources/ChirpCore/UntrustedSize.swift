/// The door for a size, a length or an offset that somebody else names: a file's header, a peer, the file system. Nothing is added
/// to it, multiplied with it or converted from it before it has passed.
///
/// What has passed is within 0...``limit``, so that sums of 8000 such numbers, and products with numbers up to 8000, are `Int`s.
public enum UntrustedSize {
    /// 2^50, a thousand terabytes: a recording of 24 h in the largest format that is read takes less than three.
    public static let limit = 1 << 50

    /// What lies beyond the limit counts as the limit, what is negative as 0. For numbers that are promises only.
    public static func clamping(_ number: some BinaryInteger) -> Int { min(limit, Int(clamping: max(0, number))) }

    /// Nil when the number is negative or lies beyond the limit. For numbers that must be true.
    public static func exactly(_ number: some BinaryInteger) -> Int? {
        number < 0 || number > limit ? nil : Int(number)
    }
}
