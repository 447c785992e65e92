import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpFiles
import FoundationEssentials
import Glibc

/// `chirp hub onward`: what `chirp serve` has another process do with the owner's sign-ins. One question on standard input, one
/// answer on standard output.
struct HubOnwardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onward", abstract: "Posts for the hub on other networks.", shouldDisplay: false)

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func run() async throws {
        let wiring = Wiring(session: try common.session())
        guard let question = try? JSONDecoder().decode(OnwardQuestion.self, from: Data(Self.input())) else {
            throw UsageError("no question is on standard input", cure: "It is for chirp serve alone")
        }
        // A server that is started anew looks for itself whether the post is there: nobody may be posting it meanwhile.
        try endProcess(with: STDIN_FILENO)
        let answer: Data
        switch question {
        case .linked: answer = try JSONEncoder().encode(await wiring.linkedNetworks())
        case .publish(let order): answer = try JSONEncoder().encode(await wiring.publishOnward(order))
        }
        try Terminal.write(String(decoding: answer, as: UTF8.self) + "\n")
    }

    /// A line, up to more than any question has.
    private static func input() -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 14)
        while bytes.count < 1 << 20 {
            let count = read(STDIN_FILENO, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += block[..<count]
            if bytes.last == 10 { break }
        }
        return bytes
    }
}
