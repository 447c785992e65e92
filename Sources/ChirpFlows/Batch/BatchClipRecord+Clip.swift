internal import ChirpClips
package import ChirpJournal

extension BatchClipRecord {
    /// What the journal keeps of a clip that lies in its place.
    package init(
        _ clip: BatchClip, hasTags: Bool, of path: BatchPath, in source: SourceFolder, sha256: String, facts: FileFacts,
        as output: BatchPath, in target: OutputFolder, placed: FileFacts, key: BatchKey
    ) {
        let receipt = clip.receipt
        let uncapped = receipt.trim.capped ? nil : receipt.clip?.seconds
        self.init(
            target: target.path, path: path.bytes, root: source.path, sourceBytes: facts.bytes,
            sourceModified: facts.modified, sourceSHA256: sha256, sourceSeconds: receipt.input.seconds,
            settingsSHA256: key.sha256(
                uncappedSeconds: uncapped, unlimitedBytes: clip.unlimitedBytes, hasTags: hasTags),
            output: output.bytes, outputBytes: placed.bytes, outputModified: placed.modified,
            outputSHA256: receipt.clip?.sha256 ?? "", uncappedSeconds: uncapped, unlimitedBytes: clip.unlimitedBytes,
            hasTags: hasTags)
    }
}
