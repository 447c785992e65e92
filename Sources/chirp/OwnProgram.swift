import ChirpCore
import ChirpFiles
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
        guard let input = try? PipeEnds() else { return nil }
        // The other process ends when this end is closed, so it does not go on working for a server that is gone. Hence both sides end
        // what they say with a line.
        defer { close(input.writing) }
        guard let output = try? PipeEnds() else {
            close(input.reading)
            return nil
        }
        let process = ProgramStart(
            program: "/proc/self/exe", words: ["chirp"] + arguments, input: input.reading, output: output.writing
        ).start()
        close(input.reading)
        close(output.writing)
        defer { close(output.reading) }
        guard let process else { return nil }
        let isTold = write(input.writing, question, question.count) == question.count
        let answer = isTold ? read(output.reading) : nil
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
