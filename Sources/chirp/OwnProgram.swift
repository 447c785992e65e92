import ChirpCore
import FoundationEssentials
import Glibc

/// This program again, for one piece of work with what the asking process must not hold: JSON in, JSON out.
struct OwnProgram: Sendable {
    /// Behind the program's name.
    let arguments: [String]

    /// How long one piece of work may take.
    private static let patience = Duration.seconds(180)
    /// More than any answer has, in bytes.
    private static let longestAnswer = 1 << 20

    /// - Returns: nil when the process ends without an answer. It is ended when the task is cancelled.
    func ask<Answer: Decodable & Sendable>(_ order: some Encodable & Sendable, for type: Answer.Type) async -> Answer? {
        guard let question = try? JSONEncoder().encode(order) else { return nil }
        let answer = await offPool { [self] in run([UInt8](question) + [10]) }
        return answer.flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
    }

    private func run(_ question: [UInt8]) -> [UInt8]? {
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&input) == 0 else { return nil }
        guard pipe(&output) == 0 else {
            input.forEach { close($0) }
            return nil
        }
        // Another process may start just now and have them too, so both sides end what they say with a line, not with the pipe.
        for descriptor in input + output { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let process = ProgramStart(
            program: "/proc/self/exe", words: ["chirp"] + arguments, input: input[0], output: output[1]
        ).start()
        close(input[0])
        close(output[1])
        defer { close(output[0]) }
        guard let process else {
            close(input[1])
            return nil
        }
        let isTold = write(input[1], question, question.count) == question.count
        close(input[1])
        let answer = isTold ? read(output[0]) : nil
        if answer == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return answer
    }

    /// The line that it says; nil when that takes too long, or nobody wants it any more.
    private func read(_ descriptor: Int32) -> [UInt8]? {
        let end = ContinuousClock.now + Self.patience
        var answer: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 14)
        while answer.count <= Self.longestAnswer, !Task.isCancelled, ContinuousClock.now < end {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 100) > 0 else { continue }
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            answer += block[..<count]
            if answer.last == 10 { return answer }
        }
        return nil
    }
}
