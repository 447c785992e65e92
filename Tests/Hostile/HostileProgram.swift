import Foundation
import HostileFiles

/// Reads many hostile files in a child process, so that deaths are counted and not suffered:
///
///     hostile run SEEDS CASES [SEED]         prints a report; exit code 1 when anything happened that must not
///     hostile read SEEDS SEED CASE           reads one case here
///     hostile write SEEDS SEED CASE FILE     writes one case to a file
///
/// SEEDS are folders of good files, with commas between them. A case is the same for the same SEED, CASE and SEEDS.
@main
enum HostileProgram {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3 else { return usage() }
        let generator = try HostileGenerator(
            folders: words[1].split(separator: ",").map { URL(filePath: String($0)) })
        let numbers = words[2...].prefix(3).map { UInt64($0) }
        switch (words[0], numbers.count) {
        case ("run", 1...2):
            guard let cases = numbers[0], cases < 1 << 40 else { return usage() }
            let seed = numbers.count > 1 ? numbers[1] ?? 0 : UInt64.random(in: 0...999_999)
            let run = HostileRun(generator: generator, seeds: words[1], seed: seed, cases: Int(cases))
            try run.execute()
        case ("child", 3):
            guard let seed = numbers[0], let first = numbers[1], let end = numbers[2] else { return usage() }
            try HostileChild.run(generator, seed: seed, cases: Int(first)..<Int(end))
        case ("read", 2):
            guard let seed = numbers[0], let index = numbers[1] else { return usage() }
            let hostile = generator.makeCase(seed: seed, index: Int(index))
            print(hostile.recipe, hostile.changes)
            let path = FileManager.default.temporaryDirectory.appending(path: "hostile-read-\(getpid())").path
            print(try HostileReading(path: path, stays: false).outcome(of: hostile.bytes))
        case ("write", 2...3):
            guard words.count == 5, let seed = numbers[0], let index = numbers[1] else { return usage() }
            try Data(generator.makeCase(seed: seed, index: Int(index)).bytes).write(to: URL(filePath: words[4]))
        default: usage()
        }
    }

    private static func usage() {
        FileHandle.standardError.write(
            Data("usage: hostile run SEEDS CASES [SEED] | read SEEDS SEED CASE | write SEEDS SEED CASE FILE\n".utf8))
        exit(64)
    }
}
