import ChirpCommands
import ChirpCommunity
import ChirpCore

/// What a check of the hub's folder has found, in words, each with its cure.
struct LibraryFindings {
    let findings: [Finding]

    /// - Parameter wereRead: whether the clips were compared with their checksums.
    init(_ report: LibraryCheck.Report, folder: String, wereRead: Bool) {
        var findings: [Finding] = []
        let isSound = report.complaints.isEmpty
        if let first = report.complaints.first {
            let more = report.complaints.count > 1 ? ", and more" : ""
            findings.append(
                .problem(
                    "database", "\(folder)/hub.sqlite is damaged: \(first)\(more)",
                    cure: "Move \(folder) away, then run: chirp hub restore FILE"))
        } else {
            findings.append(.ok("database", "\(folder)/hub.sqlite"))
            findings.append(Self.version(report.tables))
        }
        if isSound { findings += Self.files(report, wereRead: wereRead) }
        findings.append(Self.secrets(report.exposed))
        self.findings = findings
    }

    private static func version(_ tables: LibraryCheck.Report.Tables) -> Finding {
        switch tables {
        case .current: .ok("version", "this release's")
        case .older:
            .note("version", "an earlier release's; it is brought up to date when the hub is next used")
        case .newer:
            .problem("version", "a newer Chirp's, which this one cannot use", cure: "Install the newer Chirp again")
        }
    }

    private static func files(_ report: LibraryCheck.Report, wereRead: Bool) -> [Finding] {
        var findings: [Finding] = []
        if !report.missing.isEmpty {
            findings.append(
                .problem(
                    "clips", "\(Figures.count(report.missing.count, "clip")) without a file: \(names(report.missing))",
                    cure: "Put the files back into media/ from a backup: tar -xf FILE media/ID.mp3"))
        }
        if !report.damaged.isEmpty {
            findings.append(
                .problem(
                    "clips",
                    "\(Figures.count(report.damaged.count, "clip")) with another file than was published: "
                        + names(report.damaged),
                    cure: "Put the files back into media/ from a backup: tar -xf FILE media/ID.mp3"))
        }
        if findings.isEmpty {
            let how = wereRead ? "as they were published" : "all there"
            findings.append(
                .ok("clips", "\(Figures.count(report.clips, "clip")), \(ByteCount(report.bytes)), \(how)"))
        }
        if report.stored > 0 {
            findings.append(
                .ok("stored", "\(Figures.count(report.stored, "clip")) kept in the store alone, not looked at"))
        }
        findings += sold(report, wereRead: wereRead)
        if report.strays > 0 {
            findings.append(
                .note("left over", "\(Figures.count(report.strays, "file")) of no clip", cure: "Run: chirp sweep"))
        }
        return findings
    }

    /// Nothing where nothing was sold.
    private static func sold(_ report: LibraryCheck.Report, wereRead: Bool) -> [Finding] {
        guard report.kept > 0 else { return [] }
        func problem(_ names: [String], _ what: String) -> Finding? {
            names.isEmpty
                ? nil
                : .problem(
                    "sold", "\(Figures.count(names.count, "file")) of what was sold \(what): \(self.names(names))",
                    cure: "Put the files back into sold/ from a backup; its manifest.json says where each of them is")
        }
        let problems = [
            problem(report.missingKept, "not there"), problem(report.damagedKept, "damaged"),
        ].compactMap(\.self)
        guard problems.isEmpty else { return problems }
        return [.ok("sold", "\(Figures.count(report.kept, "file")), \(wereRead ? "as they were sold" : "all there")")]
    }

    private static func secrets(_ exposed: [String]) -> Finding {
        guard let first = exposed.first else { return .ok("secrets", "readable by you alone") }
        let more = exposed.count > 1 ? " and \(exposed.count - 1) more" : ""
        return .problem(
            "secrets", "others on this machine have rights on \(first)\(more)",
            cure: "Run: chmod 600 " + exposed.prefix(5).map { "'\($0)'" }.joined(separator: " "))
    }

    private static func names(_ ids: [String]) -> String {
        ids.prefix(3).joined(separator: ", ") + (ids.count > 3 ? " ..." : "")
    }
}
