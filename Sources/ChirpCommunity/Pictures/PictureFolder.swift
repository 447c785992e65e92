internal import ChirpFiles
internal import FoundationEssentials
internal import Glibc

/// The folder that holds the files of pictures: three each, whole or not there.
///
/// Every function blocks, so it is called off the cooperative pool.
package struct PictureFolder: Sendable {
    let path: String

    /// What a file is called there and in addresses. An ``HubID`` holds nothing but letters and digits.
    package static func name(_ id: HubID, _ size: HubPicture.Size) -> String { "\(id.text)-\(size.rawValue).jpg" }

    /// Which file is called so; nil: none of a picture.
    package static func parts(_ name: some StringProtocol) -> (id: HubID, size: HubPicture.Size)? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix(".jpg"), let id = HubID(parts[0]),
            let size = HubPicture.Size(rawValue: String(parts[1].dropLast(4)))
        else { return nil }
        return (id, size)
    }

    package func file(_ id: HubID, _ size: HubPicture.Size) -> String { "\(path)/\(Self.name(id, size))" }

    /// Puts all files of a picture there, each whole.
    func write(_ picture: NewPicture, as id: HubID) throws(LibraryError) {
        do throws(FileError) {
            for size in HubPicture.Size.allCases {
                try AtomicFile.write(picture.file(size).jpeg, to: file(id, size))
            }
        } catch {
            throw UploadFolder.failure(error)
        }
    }

    /// Removes the files of a picture; there may be none.
    func remove(_ id: HubID) { for size in HubPicture.Size.allCases { unlink(file(id, size)) } }

    /// Pictures with a file that was written before an instant, and temporary files from before it.
    func files(writtenBefore limit: Date) throws(LibraryError) -> (pictures: Set<HubID>, temporary: [String]) {
        let names: [String]
        do throws(FileError) { names = try FolderListing(path).names } catch {
            throw .inputOutput(path: path, reason: "cannot be listed")
        }
        var (pictures, temporary) = (Set<HubID>(), [String]())
        for name in names {
            var facts = stat()
            guard lstat("\(path)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
                Double(facts.st_mtim.tv_sec) < limit.timeIntervalSince1970
            else { continue }
            if let (id, _) = Self.parts(name) {
                pictures.insert(id)
            } else if AtomicFile.isTemporary(name) {
                temporary.append("\(path)/\(name)")
            }
        }
        return (pictures, temporary)
    }

    func removeTemporary(_ path: String) { unlink(path) }
}
