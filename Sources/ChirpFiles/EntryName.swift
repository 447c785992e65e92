public import Glibc

/// The bytes of a directory entry's name.
///
/// The system's entries are shorter than `dirent` declares, just as long as their names (readdir(3)). Reading the member `d_name`
/// copies all that is declared, and may leave the list and even the memory of the process.
public func entryName(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let name = UnsafeRawPointer(entry) + offset
    return Array(UnsafeRawBufferPointer(start: name, count: strlen(name.assumingMemoryBound(to: CChar.self))))
}
