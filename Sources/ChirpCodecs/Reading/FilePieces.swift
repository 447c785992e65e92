/// Stretches of a file that are read as one, one after the other.
struct FilePieces {
    /// Bytes of all stretches together.
    private(set) var count = 0
    /// Where each begins in the sequence, ascending, and where in the file.
    private var starts: [Int] = []
    private var offsets: [Int] = []

    /// How many stretches there are; those that touch count as one.
    var number: Int { starts.count }

    /// - Parameters:
    ///   - offset: in the file.
    ///   - count: bytes, 1 or more.
    mutating func append(offset: Int, count: Int) {
        precondition(offset >= 0 && count > 0)
        if let start = starts.last, let last = offsets.last, last + (self.count - start) == offset {
            self.count += count
            return
        }
        starts.append(self.count)
        offsets.append(offset)
        self.count += count
    }

    /// Where a byte of the sequence is in the file, and how many follow it there.
    ///
    /// - Parameter position: 0..<``count``.
    func place(of position: Int) -> (offset: Int, run: Int) {
        precondition((0..<count).contains(position))
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        let end = low + 1 < starts.count ? starts[low + 1] : count
        return (offsets[low] + position - starts[low], end - position)
    }
}
