import ChirpFlows
import ChirpTestKit
import Foundation
import Glibc
import Testing

// W-8.
@Suite struct FolderWalkTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String) throws {
        let url = URL(filePath: folder.path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: url)
    }

    private func link(_ name: String, to target: String) { #expect(symlink(target, folder.path(name)) == 0) }

    private func walk(
        leavingOut: Set<FileFacts.Identity> = [], limits: FolderWalk.Limits = .init()
    ) throws -> FolderWalk {
        let top = open(folder.path("in"), O_RDONLY | O_DIRECTORY)
        defer { close(top) }
        return try FolderWalk(top, leavingOut: leavingOut, limits: limits)
    }

    private func identity(_ name: String) -> FileFacts.Identity {
        var facts = stat()
        stat(folder.path(name), &facts)
        return FileFacts.Identity(device: UInt64(facts.st_dev), number: UInt64(facts.st_ino))
    }

    @Test func `files come in the order of their bytes, hidden ones not at all`() throws {
        for name in ["in/b.wav", "in/a/z.wav", "in/a.wav", "in/.hidden.wav", "in/.git/c.wav", "in/ä.wav"] {
            try write(name)
        }
        #expect(try walk().files.map(\.path.text) == ["a.wav", "a/z.wav", "b.wav", "ä.wav"])
        #expect(try walk().problems.isEmpty)
    }

    @Test func `names with newlines and bytes that are no text are found`() throws {
        try write("in/two\nlines.wav")
        let raw = Array(folder.path("in/").utf8) + [0x66, 0xFF, 0xFE, 0x2E, 0x77, 0x61, 0x76, 0]
        let file = open(raw.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
        #expect(file >= 0)
        close(file)
        let files = try walk().files
        #expect(files.map(\.path.bytes).contains([0x66, 0xFF, 0xFE, 0x2E, 0x77, 0x61, 0x76]))
        #expect(files.map(\.path.text) == ["f\\xFF\\xFE.wav", "two\nlines.wav"])
    }

    @Test func `links that go round end, and the real place wins`() throws {
        try write("in/a/one.wav")
        try write("in/z/two.wav")
        try write("elsewhere/three.wav")
        link("in/a/up", to: "..")
        link("in/a/self", to: ".")
        link("in/0", to: "z")
        link("in/out", to: "../elsewhere")
        link("in/again", to: "../elsewhere")
        link("in/file.wav", to: "a/one.wav")
        link("elsewhere/back", to: "../in/a")
        let found = try walk()
        #expect(found.files.map(\.path.text) == ["a/one.wav", "again/three.wav", "file.wav", "z/two.wav"])
        #expect(found.problems.allSatisfy { !$0.isFailure })
        #expect(found.problems.map(\.path.text) == ["0", "a/self", "a/up", "again/back", "out"])
    }

    @Test func `a link to nothing is a failure, a pipe is not`() throws {
        try write("in/a.wav")
        link("in/gone.wav", to: "nowhere.wav")
        #expect(mkfifo(folder.path("in/pipe.wav"), 0o600) == 0)
        let problems = try walk().problems
        #expect(problems.map(\.path.text) == ["gone.wav", "pipe.wav"])
        #expect(problems.map(\.isFailure) == [true, false])
    }

    @Test func `a folder is left out by what it is, not by its name`() throws {
        try write("in/clips/old.mp3")
        try write("in/a.wav")
        link("in/link", to: "clips")
        let files = try walk(leavingOut: [identity("in/clips")]).files
        #expect(files.map(\.path.text) == ["a.wav"])
    }

    @Test func `depth and number have limits`() throws {
        try write("in/1/2/3/4/deep.wav")
        try write("in/1/2/flat.wav")
        var limits = FolderWalk.Limits()
        limits.depth = 3
        let found = try walk(limits: limits)
        #expect(found.files.map(\.path.text) == ["1/2/flat.wav"])
        #expect(found.problems.map(\.isFailure) == [true])
        limits = FolderWalk.Limits()
        limits.files = 1
        #expect(throws: BatchFailure.tooMany(files: 1)) { _ = try walk(limits: limits) }
    }
}
