internal import Glibc

/// The names in a folder, sorted, without `.` and `..`.
package struct FolderListing: Hashable, Sendable {
    package let names: [String]

    package init(_ folder: String) throws(FileError) {
        guard let directory = opendir(folder) else { throw FileError(path: folder) }
        defer { closedir(directory) }
        var found: [String] = []
        while let entry = readdir(directory) {
            let name = String(decoding: entryName(entry), as: UTF8.self)
            if name != "." && name != ".." { found.append(name) }
        }
        names = found.sorted()
    }
}
