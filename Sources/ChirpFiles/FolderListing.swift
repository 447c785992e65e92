public import Glibc

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

/// The bytes of a directory entry's name.
///
/// The system's entries are shorter than `dirent` declares, just as long as their names (readdir(3)). Reading the member `d_name`
/// copies all that is declared, and may leave the list and even the memory of the process.
public func entryName(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let name = UnsafeRawPointer(entry) + offset
    return Array(UnsafeRawBufferPointer(start: name, count: strlen(name.assumingMemoryBound(to: CChar.self))))
}
