import ChirpFiles
import ChirpTestKit
import Foundation
import Glibc
import Testing

/// A file is read once, whole, and its digest is that of the standard (FIPS 180-4).
@Suite struct FileDigestTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func `a file's digest is that of its bytes, however they come`(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Data(bytes).write(to: URL(filePath: folder.path("a")))
        var pieces: [UInt8] = []
        let found = try FileDigest.reading(folder.path("a"), each: { (piece) throws(FileError) in pieces += piece })
        #expect(pieces == bytes)
        #expect(found == FileDigest(bytes: Int64(size), sha256: FileDigest.sha256(of: bytes)))
        let tool = try ExternalProgram("sha256sum").run([folder.path("a")])
        #expect(String(decoding: tool.output, as: UTF8.self).hasPrefix(found.sha256))
    }

    @Test func `the examples of the standard`() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(FileDigest.sha256(of: "abc") == abc)
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(FileDigest.Running().digest == FileDigest(bytes: 0, sha256: nothing))
    }

    @Test func `the position of an open file stays`() throws {
        try Data("0123456789".utf8).write(to: URL(filePath: folder.path("a")))
        let file = try OpenFile(folder.path("a"), flags: O_RDONLY)
        #expect(lseek(file.raw, 4, SEEK_SET) == 4)
        #expect(try FileDigest.reading(open: file.raw, name: "a").bytes == 10)
        #expect(lseek(file.raw, 0, SEEK_CUR) == 4)
    }

    @Test func `what is no file, too long or not wanted is a fault with its number`() throws {
        try Data(repeating: 1, count: 100).write(to: URL(filePath: folder.path("a")))
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        func number(_ name: String, limit: Int64 = .max, isUnwanted: Bool = false) -> Int32? {
            do throws(FileError) {
                _ = try FileDigest.reading(folder.path(name), limit: limit, isUnwanted: { isUnwanted })
                return nil
            } catch { return error.number }
        }
        #expect(number("a", limit: 100) == nil)
        #expect(number("a", limit: 99) == EFBIG)
        #expect(number("a", isUnwanted: true) == ECANCELED)
        #expect(number("pipe") == EINVAL)
        #expect(number(".") == EINVAL)
        #expect(number("none") == ENOENT)
    }
}
