internal import ChirpCore
package import ChirpFiles
internal import FoundationEssentials
internal import Glibc

extension HubLibrary {
    /// Where a file lies that a board keeps; nil for what is no SHA-256, so that no stranger's path is opened.
    package func kept(_ sha256: String) -> String? {
        KeptFile.isDigest(sha256) ? "\(folder)/\(KeptFile.folder)/\(sha256)" : nil
    }

    /// Keeps a file by what it holds, for as long as its board says that it does (``BoardTables/files``). It is the same file, so it takes no room of
    /// its own, and stays when its other names go. To be written down within the hour; may be repeated. Blocks.
    package func keep(_ path: String) throws(FileError) -> FileDigest {
        let folder = "\(folder)/\(KeptFile.folder)"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileError(path: folder) }
        let digest = try FileDigest.reading(path)
        let goal = "\(folder)/\(digest.sha256)"
        // Changing its rights to what they are makes it young again: a sweep that has it in hand finds it wanted.
        while chmod(goal, 0o600) != 0 {
            guard errno == ENOENT, link(path, goal) == 0 || errno == EEXIST else { throw FileError(path: goal) }
        }
        try AtomicFile.flush(folder: folder)
        return digest
    }

    /// Removes what no board keeps any more, and what nobody has written down, as of a delivery that ended halfway.
    ///
    /// - Returns: how many files.
    func sweepKept(at instant: Date) async throws(LibraryError) -> Int {
        let folder = "\(folder)/\(KeptFile.folder)"
        let old = await offPool {
            ((try? FolderListing(folder).names) ?? []).filter {
                Self.isOld("\(folder)/\($0)", at: instant.addingTimeInterval(-Self.strayAge))
            }
        }
        guard !old.isEmpty else { return 0 }
        let wanted = Set(try await read { [boards] in try boards.files(in: $0) }.map(\.sha256))
        return await offPool {
            // One that was kept meanwhile is young by now.
            old.count {
                !wanted.contains($0)
                    && Self.isOld("\(folder)/\($0)", at: instant.addingTimeInterval(-Self.strayAge))
                    && unlink("\(folder)/\($0)") == 0
            }
        }
    }

    /// Whether nothing was done to a file since an instant. The time of its content is that of what it was made of.
    static func isOld(_ path: String, at limit: Date) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
            && Double(facts.st_ctim.tv_sec) < limit.timeIntervalSince1970
    }
}
