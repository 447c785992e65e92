internal import CConfine

/// Both ends of a pipe to a child, closed on exec from the beginning. Whoever asks for them closes them.
public struct PipeEnds: Sendable {
    public let reading: Int32
    public let writing: Int32

    /// - Throws: when there are too many descriptors.
    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        let code = chirp_pipe(&ends)
        guard code == 0 else { throw SystemError(code: code) }
        (reading, writing) = (ends[0], ends[1])
    }
}
