import ChirpFiles
import ChirpTestKit
import Foundation
import Glibc
import Testing

/// A file appears whole or not at all, under its own name and nowhere else.
@Suite struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    private func mode(_ name: String) throws -> mode_t {
        var facts = stat()
        try #require(lstat(folder.path(name), &facts) == 0)
        return facts.st_mode
    }

    private func failure(_ body: () throws(FileError) -> Void) -> FileError? {
        do throws(FileError) {
            try body()
            return nil
        } catch { return error }
    }

    @Test(arguments: [false, true])
    func `nothing is there under its name before it is whole`(isNameless: Bool) throws {
        let file = try AtomicFile.create(at: folder.path("a"), isNameless: isNameless)
        try file.write(Array("one ".utf8))
        #expect(try folder.names().contains("a") == false)
        #expect(try folder.names().count == (isNameless ? 0 : 1))
        try file.write(Array("two".utf8))
        try file.commit()
        #expect(try folder.names() == ["a"])
        #expect(try text("a") == "one two")
    }

    @Test(arguments: [false, true])
    func `what is dropped leaves nothing, and an older file as it was`(isNameless: Bool) throws {
        try Data("old".utf8).write(to: URL(filePath: folder.path("a")))
        do {
            let file = try AtomicFile.create(at: folder.path("a"), isNameless: isNameless)
            try file.write(Array("new".utf8))
        }
        #expect(try folder.names() == ["a"])
        #expect(try text("a") == "old")
    }

    @Test(arguments: [false, true], [AtomicFile.Durability.nothing, .bytes, .bytesAndName])
    func `an older file is replaced in one step`(isNameless: Bool, durability: AtomicFile.Durability)
        throws
    {
        try Data("old".utf8).write(to: URL(filePath: folder.path("a")))
        let reader = try FileHandle(forReadingFrom: URL(filePath: folder.path("a")))
        let file = try AtomicFile.create(at: folder.path("a"), isNameless: isNameless)
        try file.write(Array("new".utf8))
        try file.commit(durability: durability)
        #expect(try folder.names() == ["a"])
        #expect(try text("a") == "new")
        // Who had it open still reads the old one.
        #expect(try reader.readToEnd() == Data("old".utf8))
    }

    @Test(arguments: [false, true])
    func `a name that is taken is a fault when nothing may be replaced`(isNameless: Bool) throws {
        try Data("old".utf8).write(to: URL(filePath: folder.path("a")))
        let path = folder.path("a")
        let fault = failure { () throws(FileError) in
            let file = try AtomicFile.create(at: path, isNameless: isNameless)
            try file.commit(replacing: false)
        }
        #expect(fault == FileError(path: path, number: EEXIST))
        #expect(try folder.names() == ["a"])
        #expect(try text("a") == "old")
    }

    @Test(arguments: [false, true], [false, true])
    func `a symbolic link under the name is replaced and not followed`(
        isNameless: Bool, isDangling: Bool
    ) throws {
        if !isDangling { try Data("theirs".utf8).write(to: URL(filePath: folder.path("elsewhere"))) }
        try #require(symlink(folder.path("elsewhere"), folder.path("a")) == 0)
        let file = try AtomicFile.create(at: folder.path("a"), isNameless: isNameless)
        try file.write(Array("ours".utf8))
        try file.commit()
        #expect(try folder.names() == (isDangling ? ["a"] : ["a", "elsewhere"]))
        #expect(try mode("a") & S_IFMT == S_IFREG)
        #expect(try text("a") == "ours")
        if !isDangling { #expect(try text("elsewhere") == "theirs") }
    }

    @Test(arguments: [false, true])
    func `a folder that vanishes meanwhile is a fault, and nothing comes into one of the same name`(
        isNameless: Bool
    ) throws {
        let inner = folder.path("inner")
        try #require(mkdir(inner, 0o700) == 0)
        let path = inner + "/a"
        let fault = failure { () throws(FileError) in
            let file = try AtomicFile.create(at: path, isNameless: isNameless)
            try? FileManager.default.removeItem(atPath: inner)
            mkdir(inner, 0o700)
            try file.commit()
        }
        #expect(fault == FileError(path: path, number: ENOENT))
        #expect(try FileManager.default.contentsOfDirectory(atPath: inner) == [])
    }

    @Test func `a file follows its folder when that is renamed, and not a link in its place`() throws {
        for name in ["inner", "trap"] { try #require(mkdir(folder.path(name), 0o700) == 0) }
        let file = try AtomicFile.create(at: folder.path("inner/a"))
        try #require(rename(folder.path("inner"), folder.path("moved")) == 0)
        try #require(symlink(folder.path("trap"), folder.path("inner")) == 0)
        try file.commit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("moved")) == ["a"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("trap")) == [])
    }

    @Test(arguments: ["", "none/a", ".", "..", "inner/", "a\u{0}b", "file/a"])
    func `a place that cannot be is a fault that names it`(place: String) throws {
        try #require(mkdir(folder.path("inner"), 0o700) == 0)
        try Data().write(to: URL(filePath: folder.path("file")))
        let path = place.isEmpty ? "" : folder.path("inner").dropLast(5) + place
        let fault = failure { () throws(FileError) in try AtomicFile.write([], to: path) }
        #expect(fault?.path == path)
        #expect(try folder.names() == ["file", "inner"])
    }

    @Test func `a folder in its place is not replaced`() throws {
        try #require(mkdir(folder.path("a"), 0o700) == 0)
        let path = folder.path("a")
        let fault = failure { () throws(FileError) in try AtomicFile.write([1], to: path) }
        #expect(fault?.number == EISDIR)
        #expect(try folder.names() == ["a"])
    }

    @Test func `the mode is the caller's, less what the mask takes`() throws {
        try AtomicFile.write([1], to: folder.path("own"))
        try AtomicFile.write([1], to: folder.path("all"), mode: 0o444)
        #expect(try mode("own") & 0o777 == 0o600)
        #expect(try mode("all") & 0o777 & ~0o044 == 0o400)
    }

    @Test func `a full disk is known by its number`() throws {
        let full = try OpenFile("/dev/full", flags: O_WRONLY)
        let fault = failure { () throws(FileError) in
            try [1 as UInt8].withUnsafeBufferPointer { (bytes) throws(FileError) in
                try full.write(UnsafeRawBufferPointer(bytes), name: "full")
            }
        }
        #expect(fault?.isFull == true)
        #expect(FailureReason.system(SystemError(code: EDQUOT)).isFull)
        // Nothing is read out of words.
        #expect(FailureReason.words(SystemError(code: ENOSPC).description).isFull == false)
    }

    @Test(arguments: [false, true])
    func `a process that is killed leaves nothing, or what the sweep knows`(isNameless: Bool) throws {
        // What a dead process leaves is an open file without its owner: the name, if it has one, and no lock.
        let file = try AtomicFile.create(at: folder.path("a"), isNameless: isNameless)
        let left = try folder.names()
        #expect(left.count == (isNameless ? 0 : 1))
        #expect(left.allSatisfy(AtomicFile.isTemporary))
        // The living one is left alone, however old it is.
        #expect(AtomicFile.removeStrays(in: folder.path("."), olderThan: 0) == 0)
        for name in left { try Data("half".utf8).write(to: URL(filePath: folder.path(name + "dead"))) }
        #expect(AtomicFile.removeStrays(in: folder.path("."), olderThan: 60) == 0)
        #expect(AtomicFile.removeStrays(in: folder.path("."), olderThan: 0) == left.count)
        try file.commit()
        #expect(try folder.names() == ["a"])
    }

    @Test func `a whole file is moved over another, and one that is not there harms nothing`() throws {
        for name in ["a", "b"] { try AtomicFile.write(Array(name.utf8), to: folder.path(name)) }
        try AtomicFile.move(folder.path("a"), to: folder.path("b"), flushing: true)
        #expect(try folder.names() == ["b"])
        #expect(try text("b") == "a")
        let (source, target) = (folder.path("a"), folder.path("b"))
        let fault = failure { () throws(FileError) in
            try AtomicFile.move(source, to: target, flushing: true)
        }
        #expect(fault == FileError(path: target, number: ENOENT))
        #expect(try text("b") == "a")
    }

    @Test(arguments: [
        ("a", ".", "a"), ("/a", "/", "a"), ("b/a", "b", "a"), ("/c/b/a", "/c/b", "a"), ("b/", "b", ""),
        ("", ".", ""),
        ("b/\u{301}a", "b", "\u{301}a"),
    ])
    func `a path is a folder and a name`(path: String, folder: String, name: String) {
        let parts = AtomicFile.split(path)
        #expect(Array(parts.folder.utf8) == Array(folder.utf8))
        #expect(Array(parts.name.utf8) == Array(name.utf8))
    }
}
