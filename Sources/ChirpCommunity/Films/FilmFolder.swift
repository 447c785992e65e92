internal import ChirpFiles
internal import FoundationEssentials
internal import Glibc

/// The folder that holds the files of films: up to six each, whole or not there.
///
/// Every function blocks, so it is called off the cooperative pool.
package struct FilmFolder: Sendable {
    let path: String

    /// What a file is called there and in addresses. An ``HubID`` holds nothing but letters and digits.
    package static func name(_ id: HubID, _ file: HubFilm.File) -> String {
        "\(id.text)-\(file.rawValue).\(file.ending)"
    }

    /// Which file is called so; nil: none of a film.
    package static func parts(_ name: some StringProtocol) -> (id: HubID, file: HubFilm.File)? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = HubID(parts[0]),
            let file = HubFilm.File.allCases.first(where: { parts[1] == "\($0.rawValue).\($0.ending)" })
        else { return nil }
        return (id, file)
    }

    package func file(_ id: HubID, _ file: HubFilm.File) -> String { "\(path)/\(Self.name(id, file))" }

    /// Keeps what was sent under another name too: it is the same file, unchanged. May be repeated.
    package func keep(_ upload: String, as id: HubID) throws(LibraryError) {
        let goal = file(id, .original)
        guard link(upload, goal) == 0 || errno == EEXIST else { throw UploadFolder.failure(FileError(path: goal)) }
        do throws(FileError) { try AtomicFile.flush(folder: path) } catch { throw UploadFolder.failure(error) }
    }

    /// Removes the files of a film; there may be none.
    package func remove(_ id: HubID) { for name in HubFilm.File.allCases { unlink(file(id, name)) } }

    /// Films with a file that was written before an instant, and temporary files from before it.
    func files(writtenBefore limit: Date) throws(LibraryError) -> (films: Set<HubID>, temporary: [String]) {
        let names: [String]
        do throws(FileError) { names = try FolderListing(path).names } catch {
            throw .inputOutput(path: path, reason: "cannot be listed")
        }
        var (films, temporary) = (Set<HubID>(), [String]())
        for name in names {
            var facts = stat()
            guard lstat("\(path)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
                Double(facts.st_mtim.tv_sec) < limit.timeIntervalSince1970
            else { continue }
            if let (id, _) = Self.parts(name) {
                films.insert(id)
            } else if AtomicFile.isTemporary(name) {
                temporary.append("\(path)/\(name)")
            }
        }
        return (films, temporary)
    }

    func removeTemporary(_ path: String) { unlink(path) }
}
