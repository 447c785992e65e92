/// Where clips go: the source's own place and name, with `.mp3` for what its name ends in.
///
/// When several sources would give one name (`a.wav` and `a.flac`), each of them keeps its whole name (`a.wav.mp3` and
/// `a.flac.mp3`): which comes first does not matter, and nothing is lost.
package struct OutputNames: Hashable, Sendable {
    /// For each source, in the order of the sources.
    package let paths: [BatchPath]
    /// Sources that keep their whole names, by their place in the order.
    package let kept: [Int]

    package init(_ sources: [BatchPath]) {
        var short = Array(repeating: true, count: sources.count)
        func name(_ index: Int) -> BatchPath {
            let source = sources[index]
            return .name(Array(short[index] ? source.stem : source.name) + Array(".mp3".utf8), in: source.folder)
        }
        var paths = sources.indices.map(name)
        // A whole name may be the short one of another source, which then keeps its whole name too. Whole names differ as
        // the sources do, so this ends.
        while true {
            let claims = Dictionary(grouping: paths.indices, by: { paths[$0] }).values.filter { $0.count > 1 }.joined()
            let changing = claims.filter { short[$0] }
            guard !changing.isEmpty else { break }
            for index in changing {
                short[index] = false
                paths[index] = name(index)
            }
        }
        self.paths = paths
        kept = short.indices.filter { !short[$0] }
    }
}
