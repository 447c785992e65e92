internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// Everything below a folder that may be a recording, in the order of the names' bytes.
///
/// Every folder is read once: a link to a folder is followed only when nothing else leads there, so that loops end and the
/// real place wins. Left out are hidden names and one folder by identity, which is the folder of the clips.
package struct FolderWalk: Sendable {
    package struct File: Hashable, Sendable {
        package var path: BatchPath
        package var facts: FileFacts

        package init(path: BatchPath, facts: FileFacts) {
            self.path = path
            self.facts = facts
        }
    }

    /// What could not be looked at, or is no recording by its nature.
    package struct Problem: Hashable, Sendable {
        package var path: BatchPath
        package var reason: String
        /// A recording may be missing because of it; otherwise it is only worth telling.
        package var isFailure: Bool
    }

    package struct Limits: Hashable, Sendable {
        /// Folders within folders.
        package var depth = 64
        package var files = 2_000_000

        package init() {}
    }

    package private(set) var files: [File] = []
    package private(set) var problems: [Problem] = []
    /// All that were read, for watching; nil is the top.
    package private(set) var folders: [BatchPath?] = []
    private var visited: Set<FileFacts.Identity>
    private var links: [BatchPath] = []
    private let top: Int32
    private let limits: Limits

    /// - Parameters:
    ///   - top: the folder, open; it stays open.
    ///   - leavingOut: folders that are not entered, such as that of the clips and those above the top.
    package init(_ top: Int32, leavingOut: Set<FileFacts.Identity>, limits: Limits = Limits()) throws(BatchFailure) {
        self.top = top
        self.limits = limits
        visited = leavingOut
        try readAll(below: [(nil, 0)])
        // Links wait until all real folders are known; what a link leads to may hold links again.
        while !links.isEmpty {
            let next = links.sorted()
            links = []
            for link in next { try readAll(below: [(link, link.folders.count + 1)]) }
        }
        files.sort { $0.path < $1.path }
        problems.sort { $0.path < $1.path }
    }

    private mutating func readAll(below first: [(folder: BatchPath?, depth: Int)]) throws(BatchFailure) {
        var waiting = first
        while let (folder, depth) = waiting.popLast() {
            if Task.isCancelled { throw .cancelled }
            guard depth <= limits.depth else {
                add(folder, "it lies more than \(limits.depth) folders deep", isFailure: true)
                continue
            }
            for found in read(folder).sorted(by: >) { waiting.append((found, depth + 1)) }
            guard files.count <= limits.files else { throw .tooMany(files: limits.files) }
        }
    }

    private mutating func add(_ path: BatchPath?, _ reason: String, isFailure: Bool) {
        problems.append(Problem(path: path ?? BatchPath("."), reason: reason, isFailure: isFailure))
    }

    /// Reads one folder.
    ///
    /// - Returns: the real folders in it.
    private mutating func read(_ folder: BatchPath?) -> [BatchPath] {
        let descriptor = (folder ?? BatchPath(".")).withCString { openat(top, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            // It may have gone, or become something else, since the folder above was read.
            let hasGone = folder != nil && (errno == ENOENT || errno == ENOTDIR)
            if !hasGone { add(folder, SystemError.current.description, isFailure: true) }
            return []
        }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, let directory = fdopendir(descriptor) else {
            add(folder, SystemError.current.description, isFailure: true)
            close(descriptor)
            return []
        }
        defer { closedir(directory) }
        guard visited.insert(FileFacts(facts).identity).inserted else {
            if folder != nil { add(folder, "it is a link to a folder that is read already", isFailure: false) }
            return []
        }
        folders.append(folder)
        var found: [BatchPath] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else { break }
            let name = entryName(entry)
            guard name.first != UInt8(ascii: ".") else { continue }
            let path = BatchPath.name(name, in: folder)
            if take(path, in: descriptor, name: BatchPath(name)) { found.append(path) }
        }
        if errno != 0 { add(folder, SystemError.current.description, isFailure: true) }
        return found
    }

    /// Notes one entry of a folder.
    ///
    /// - Returns: whether it is a real folder, to be read.
    private mutating func take(_ path: BatchPath, in folder: Int32, name: BatchPath) -> Bool {
        var facts = stat()
        guard name.withCString({ fstatat(folder, $0, &facts, AT_SYMLINK_NOFOLLOW) }) == 0 else {
            // It may have gone since the folder was read, which is nobody's failure.
            if errno != ENOENT { add(path, SystemError.current.description, isFailure: true) }
            return false
        }
        if facts.st_mode & S_IFMT == S_IFDIR { return !visited.contains(FileFacts(facts).identity) }
        let isLink = facts.st_mode & S_IFMT == S_IFLNK
        if isLink, name.withCString({ fstatat(folder, $0, &facts, 0) }) != 0 {
            let reason = errno == ENOENT ? "it is a link to nothing" : SystemError.current.description
            add(path, reason, isFailure: true)
            return false
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: files.append(File(path: path, facts: FileFacts(facts)))
        case S_IFDIR: links.append(path)
        default: add(path, "it is no regular file", isFailure: false)
        }
        return false
    }
}
