import Foundation
import Testing

@Suite struct UsageTests {
    /// Command lines that cannot be meant, and a word that the first line must hold.
    static let mistakes: [([String], String)] = [
        (["bogus"], "bogus"),
        (["encode"], "input"),
        (["encode", "a.wav"], "output"),
        (["encode", "a.wav", "-o", "b.mp3", "--colr"], "--color"),
        (["encode", "a.wav", "-o", "b.mp3", "--bitrate", "5000"], "8 to 320"),
        (["encode", "a.wav", "-o", "b.mp3", "--vbr", "10"], "0 (best) to 9"),
        (["encode", "a.wav", "-o", "b.mp3", "--bitrate", "64", "--vbr", "2"], "exclude"),
        (["encode", "a.wav", "-o", "b.mp3", "--target", "3"], "-50 to -5"),
        (["encode", "a.wav", "-o", "b.mp3", "--preset", "loud"], "loud"),
        (["encode", "a.wav", "-o", "b.mp3", "--max-length", "140"], "140s"),
        (["encode", "a.wav", "-o", "b.mp3", "--max-length", "-5s"], "--max-length"),
        (["encode", "a.wav", "-o", "b.mp3", "--max-bytes", "big"], "16MB"),
        (["encode", "a.wav", "-o", "-", "--json"], "standard output"),
        (["inspect", "a.wav", "--mono", "left"], "left"),
        (["publish"], "input"),
        (["publish", "a.wav", "--store", "moon"], "moon"),
        (["publish", "a.wav", "--expires", "soon"], "7d"),
        (["outbox", "drop"], "id"),
        (["serve", "--port", "70000"], "65535"),
        (["config", "show", "--color", "blue"], "blue"),
    ]

    @Test(arguments: mistakes)
    func `a wrong command line ends with 64 and says in two lines what is wrong and where help is`(
        words: [String], mention: String
    ) async throws {
        let outcome = try await Household().start(words).outcome()
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty || words.contains("--json"))
        #expect(outcome.errorLines.count == 2)
        #expect(outcome.errorLines.first?.lowercased().contains(mention.lowercased()) == true, "\(outcome.errors)")
        #expect(outcome.errorLines.last?.contains("--help") == true)
    }

    @Test func `with json a wrong command line is one document on standard output too`() async throws {
        let outcome = try await Household().run("encode", "a.wav", "--json")
        #expect(outcome.status == 64)
        let document = try outcome.json()
        #expect(document["exit"] as? Int == 64)
        #expect(document["event"] as? String == "result")
        #expect((document["error"] as? [String: String])?["whatToDo"] == "Run: chirp encode --help")
    }

    @Test func `the version goes to standard output`() async throws {
        let outcome = try await Household().run("--version")
        #expect(outcome.status == 0)
        #expect(outcome.text.range(of: #"^\d+\.\d+\.\d+\n$"#, options: .regularExpression) != nil)
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `there are completions that know every command`(shell: String) async throws {
        let outcome = try await Household().run("--generate-completion-script", shell)
        #expect(outcome.status == 0)
        for command in ["publish", "encode", "inspect", "outbox", "sweep", "serve", "doctor", "config"] {
            #expect(outcome.text.contains(command))
        }
        #expect(!outcome.text.contains("manual"))
    }

    @Test func `bash reads its completions and offers the commands`() async throws {
        let outcome = try await Household().shell(
            """
            source <(chirp --generate-completion-script bash)
            COMP_WORDS=(chirp out) COMP_CWORD=1 COMP_LINE='chirp out' COMP_POINT=9
            _chirp chirp out chirp
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
        #expect(outcome.text.contains("outbox"), "\(outcome.errors)")
    }

    @Test func `every command has a man page that renders without a complaint`() async throws {
        let home = try Household()
        let written = try await home.run("manual", "--directory", home.work)
        #expect(written.status == 0)
        let pages = try FileManager.default.contentsOfDirectory(atPath: home.work).sorted()
        for command in ["publish", "encode", "inspect", "outbox", "sweep", "serve", "doctor", "config-show"] {
            #expect(pages.contains("chirp-\(command).1"))
        }
        for page in pages {
            let rendered = try await home.shell("man --warnings -l ./\(page) 2>&1 >rendered; cat rendered | col -b")
            #expect(rendered.status == 0)
            #expect(rendered.text.contains("EXIT STATUS"))
            #expect(!rendered.text.contains("warning"), "\(rendered.text.prefix(300))")
        }
    }
}
