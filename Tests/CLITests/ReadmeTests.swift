import ChirpTestKit
import Foundation
import Testing

/// The ten examples of the README, word by word, one after the other, as a reader would type them.
@Suite struct ReadmeTests {
    /// What the output of an example must match; examples that write files are looked at by those that follow.
    private static let expected = [
        #"^Hello from the harbour #Chirp\nhttp://127\.0\.0\.1:4747/c/\w+\n$"#,
        #"^http://127\.0\.0\.1:4747/c/\w+\n$"#,
        #"#Chirp\nhttp://127\.0\.0\.1:4747/c/\w+\n$"#,
        #"^\d+\n$"#, #"^$"#, #"^$"#, #"^-1[56]\.\d+\n$"#, #"^0\n$"#, #"(?m)^preset +music +# CHIRP_PRESET$"#,
        #"^removed 0 expired clips"#,
    ]

    @Test func `the ten examples do what they say`() async throws {
        let manual = try String(contentsOfFile: "\(BuiltProgram.package)/README.md", encoding: .utf8)
        let block = try #require(manual.components(separatedBy: "```sh\n").dropFirst().first)
        let examples = block.components(separatedBy: "```")[0].split(separator: "\n").map(String.init)
        #expect(examples.count == 10)
        let home = try Household()
        try FileManager.default.createSymbolicLink(
            atPath: home.path("Samples"), withDestinationPath: "\(BuiltProgram.package)/Samples")
        for (example, pattern) in zip(examples, Self.expected) {
            let outcome = try await home.shell(example)
            #expect(outcome.status == 0, "\(example): \(outcome.errors)")
            #expect(outcome.text.range(of: pattern, options: .regularExpression) != nil, "\(example): \(outcome.text)")
        }
        #expect(home.files(in: "work").filter { $0.hasSuffix(".mp3") }.count == 2)
    }
}
