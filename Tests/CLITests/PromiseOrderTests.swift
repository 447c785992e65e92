import Testing

/// The reading of the trace itself, without which a test by it would prove nothing.
@Suite struct PromiseOrderTests {
    /// As strace 6.1 printed it, shortened.
    private static let trace = [
        #"41  write(8</h/state/chirp/outbox/chirp-input-0RhjPo>, "RIFF\244>\0\0WAVE = 7", 16044) = 16044"#,
        "41  fsync(8</h/state/chirp/outbox/chirp-input-0RhjPo>) = 0",
        "41  fsync(9</h/state/chirp/outbox>)    = 0",
        #"40  pwrite64(15</h/state/chirp/journal.sqlite-wal>, "\r\0\0\0\1"..., 4096, 24776) = 4096"#,
        "40  fdatasync(15</h/state/chirp/journal.sqlite-wal>) = 0",
        #"41  pwrite64(15</h/state/chirp/journal.sqlite-wal>, "/outbox/chirp-input-0RhjPo\0", 4096, 185456) = 4096"#,
        #"41  pwrite64(15</h/state/chirp/journal.sqlite-wal>, "\n\0\0\0\1\17", 4096, 197816) = 4096"#,
        "41  fdatasync(15</h/state/chirp/journal.sqlite-wal>) = 0",
        "39  tgkill(38, 39, SIGKILL <unfinished ...>",
        "40  +++ killed by SIGKILL +++",
        "39  <... tgkill resumed>)             = ?",
    ]

    private static func fault(_ lines: [String]) -> String? { PromiseOrder.fault(in: lines.joined(separator: "\n")) }

    @Test func `the right order is right`() {
        #expect(Self.fault(Self.trace) == nil)
    }

    @Test(arguments: [
        (0, "no recording is written"), (1, "the bytes are not flushed before the promise"),
        (2, "the name is not flushed before the promise"), (5, "the journal does not name the recording"),
        (7, "the promise is not flushed before the next step"), (8, "nothing follows the promise"),
    ])
    func `each part is missed`(line: Int, fault: String) {
        var lines = Self.trace
        lines.remove(at: line)
        #expect(Self.fault(lines) == fault)
    }

    /// What a flush that comes too early, or too late, proves.
    @Test(arguments: [
        (1, 0, "the bytes are not flushed before the promise"), (2, 0, "the name is not flushed before the promise"),
        (1, 5, "the bytes are not flushed before the promise"), (2, 5, "the name is not flushed before the promise"),
        (7, 6, "the promise is not flushed before the next step"),
        (7, 8, "the promise is not flushed before the next step"),
    ])
    func `a flush at another place does not count`(line: Int, place: Int, fault: String) {
        var lines = Self.trace
        lines.insert(lines.remove(at: line), at: place)
        #expect(Self.fault(lines) == fault)
    }

    @Test func `a flush that fails is none`() {
        var lines = Self.trace
        lines[7] = "41  fdatasync(15</h/state/chirp/journal.sqlite-wal>) = -1 EIO (Input/output error)"
        #expect(Self.fault(lines) == "the promise is not flushed before the next step")
    }

    @Test func `a flush counts from its end, wherever it began`() {
        var lines = Self.trace
        lines[7] = "41  fdatasync(15</h/state/chirp/journal.sqlite-wal> <unfinished ...>"
        #expect(Self.fault(lines) == "the promise is not flushed before the next step")
        lines.insert("41  <... fdatasync resumed>)          = 0", at: 8)
        #expect(Self.fault(lines) == nil)
    }
}
