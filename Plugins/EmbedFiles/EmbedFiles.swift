import Foundation
import PackagePlugin

/// Puts the files in a module's folder `Resources` into the program, as ``EmbeddedFiles``. Style, scripts and words of all modules go into
/// `ChirpWeb`, which serves them; so whatever has pages owns what they are made of.
///
/// What the package manager makes of `.embedInCode` is a list of numbers for each file, over which the compiler sat for three minutes;
/// texts take it no time.
@main struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let files =
            target.name == "ChirpWeb"
            ? try context.package.targets.flatMap { other in
                try resources(of: other).filter { other.name == target.name || Self.ofPages.contains($0.pathExtension) }
            }
            : try resources(of: target).filter { !Self.ofPages.contains($0.pathExtension) }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files of \(target.name)",
                executable: try context.tool(named: "embed").url,
                arguments: [output.path(percentEncoded: false)] + files.map { $0.path(percentEncoded: false) },
                inputFiles: files, outputFiles: [output])
        ]
    }

    /// What the pages' module serves, by the end of the name.
    private static let ofPages: Set<String> = ["css", "js", "words"]

    private func resources(of target: any Target) throws -> [URL] {
        let folder = target.directoryURL.appending(path: "Resources")
        guard FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) else { return [] }
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles
        ).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
