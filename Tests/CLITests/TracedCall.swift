/// A system call as `strace -f -y` tells it.
struct TracedCall {
    let thread: Substring
    let name: Substring
    /// The file behind its first argument; empty when that is no descriptor.
    let path: Substring
    /// Name and arguments; what was written is among them.
    let text: Substring
    /// The line in which it began.
    let begin: Int
    /// The line in which it ended well; nil when it failed or never ended.
    private(set) var end: Int?

    var isWrite: Bool { ["write", "pwrite64", "writev", "pwritev"].contains(name) }
    var isFlush: Bool { ["fsync", "fdatasync"].contains(name) }
    var isKill: Bool { ["kill", "tkill", "tgkill"].contains(name) }

    /// All calls of a trace, in the order in which they began.
    static func all(in trace: String) -> [TracedCall] {
        var calls: [TracedCall] = []
        for (number, line) in trace.split(separator: "\n").enumerated() {
            guard let space = line.firstIndex(of: " ") else { continue }
            let (thread, text) = (line[..<space], line[space...].drop { $0 == " " })
            if text.hasPrefix("<... ") {
                // The rest of a call during which another thread was heard of.
                guard let index = calls.lastIndex(where: { $0.thread == thread }) else { continue }
                if endsWell(text) { calls[index].end = number }
            } else if let call = TracedCall(thread: thread, text: text, begin: number) {
                calls.append(call)
            }
        }
        return calls
    }

    /// Nil for what is no call: the end of a process, or a signal.
    private init?(thread: Substring, text: Substring, begin: Int) {
        guard let bracket = text.firstIndex(of: "("), text.first?.isLetter == true else { return nil }
        self.thread = thread
        self.text = text
        self.begin = begin
        name = text[..<bracket]
        let behind = text[text.index(after: bracket)...].drop { $0.isNumber }
        path = behind.first == "<" ? behind.dropFirst().prefix { $0 != ">" } : ""
        end = Self.endsWell(text) ? begin : nil
    }

    /// Whether a line ends with a result that is no error; `-1` and `?` are none.
    private static func endsWell(_ text: Substring) -> Bool {
        guard let sign = text.lastIndex(of: "=") else { return false }
        return text[sign...].dropFirst().drop { $0 == " " }.first?.isNumber == true
    }
}
