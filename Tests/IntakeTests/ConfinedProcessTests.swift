import ChirpCore
import ChirpFiles
import Glibc
import Testing

extension IntakeTests {
    /// Programs that are started bound.
    @Suite struct ConfinedProcessTests {
        @Test func `a process with more files open than a program may have still starts it`() throws {
            let many = (0..<100).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
            defer { many.forEach { close($0) } }
            try #require(many.allSatisfy { $0 >= 0 })
            let limits = ConfinedProcess.Limits(
                processorTime: .seconds(10), memory: ByteCount(512 << 20), descriptors: 64, isForeign: true)
            let process = try ConfinedProcess(
                "/bin/sh", arguments: ["-c", "read nothing </dev/null; exit 7"], descriptors: [nil, nil, nil],
                limits: limits)
            #expect(process.ending() == .exited(7))
        }
    }
}
