public import ChirpAudio
package import ChirpCodecs
internal import ChirpFiles
internal import FoundationEssentials

extension Intake {
    /// The picture of a person, made in a child of what a stranger has sent: ``PortraitPicture``. Blocking.
    ///
    /// - Parameters:
    ///   - bytes: of a file; any.
    ///   - folder: where they lie meanwhile.
    ///   - name: for errors.
    public func portrait(of bytes: [UInt8], in folder: String, name: String) throws(AudioError) -> [UInt8] {
        guard bytes.count <= PortraitPicture.mostSourceBytes else {
            throw .unsupported(name: name, reason: "a picture may have 8 MB")
        }
        return try picture(of: bytes, in: folder, IntakeWork.portray(name: name), most: 400_000)
    }

    /// A photo that fills a screen, made in the same way: ``ScreenPicture``. Blocking.
    public func screenPicture(of bytes: [UInt8], in folder: String, name: String) throws(AudioError) -> [UInt8] {
        guard bytes.count <= ScreenPicture.mostSourceBytes else {
            throw .unsupported(name: name, reason: "a photo may have 10 MB")
        }
        return try picture(of: bytes, in: folder, IntakeWork.fillScreen(name: name), most: ScreenPicture.mostBytes)
    }

    private func picture(
        of bytes: [UInt8], in folder: String, _ work: IntakeWork, most: Int
    ) throws(AudioError) -> [UInt8] {
        let name = work.name
        let source = try written(bytes, in: folder, name: name)
        // What was written is read from its beginning, by an opening of its own.
        let file = try OpenedFile(source.temporaryPath, name: name)
        let child = try child(for: name)
        try child.begin(work, descriptors: [file.descriptor])
        defer { warmUp(children: 1) }
        // The child may be a stranger's by now: what it says is a picture has at least the beginning and the size of one.
        let limit = (child.processorTime ?? .zero) + pictureTime
        guard case .portrayed(let jpeg) = try child.reply(to: work, within: limit, patience: Self.picturePatience),
            jpeg.count <= most, jpeg.starts(with: [0xFF, 0xD8, 0xFF])
        else { throw child.nonsense(work) }
        return Array(jpeg)
    }

    /// The pictures of a thing, made in a child that does nothing else, of any picture that a stranger has sent: ``ItemPicture``. It may
    /// take eight seconds of a processor and 512 MB. Blocking.
    ///
    /// - Parameters:
    ///   - bytes: of a file; any.
    ///   - folder: where they lie meanwhile.
    ///   - name: for errors.
    package func itemPicture(of bytes: [UInt8], in folder: String, name: String) throws(AudioError) -> ItemPicture {
        guard bytes.count <= ItemPicture.mostSourceBytes else {
            throw .unsupported(name: name, reason: "a picture may have 20 MB")
        }
        let work = IntakeWork.picture(name: name)
        let source = try written(bytes, in: folder, name: name)
        let file = try OpenedFile(source.temporaryPath, name: name)
        let child = try pictureChild(for: name)
        try child.begin(work, descriptors: [file.descriptor])
        let reply = try child.reply(to: work, within: pictureTime, patience: Self.picturePatience)
        guard case .pictured(let made) = reply, let picture = made.picture
        else { throw child.nonsense(work) }
        return picture
    }

    private func written(_ bytes: [UInt8], in folder: String, name: String) throws(AudioError) -> AtomicFile {
        do throws(FileError) {
            let source = try AtomicFile.create(at: "\(folder)/picture")
            try source.write(bytes)
            return source
        } catch {
            throw .inputOutput(path: name, reason: .system(SystemError(code: error.number)))
        }
    }
}
