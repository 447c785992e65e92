package import ChirpAudio
package import ChirpMusic

extension Intake {
    /// What one recording may cost a processor, and how long an answer is waited for on a machine that is busy with other things too.
    private static let hearingTime = Duration.seconds(60)
    private static let hearingPatience = Duration.seconds(180)

    /// What is found in the sound of an attempt, by a child that has it alone: ``SoundFindings``. Of what cannot be decoded the findings say that there
    /// is no sound. May be repeated. Blocking.
    ///
    /// - Parameters:
    ///   - path: of a clip or the sound of a film; any bytes.
    ///   - name: for errors.
    /// - Throws: `crashed`, `missing`, `inputOutput` and `cancelled`; nothing that says how the recording is.
    package func findings(
        of path: String, _ question: SoundFindings.Question, name: String
    ) throws(AudioError) -> SoundFindings {
        let file = try OpenedFile(path, name: name)
        let work = IntakeWork.listen(name: name, question: question)
        do throws(AudioError) {
            return try findings(work, question, of: file.descriptor)
        } catch .crashed {
            // A child may have been killed for reasons of its own; two are the recording's.
            return try findings(work, question, of: file.descriptor)
        }
    }

    private func findings(
        _ work: IntakeWork, _ question: SoundFindings.Question, of file: Int32
    ) throws(AudioError) -> SoundFindings {
        let child = try child(for: work.name)
        try child.begin(work, descriptors: [file])
        let limit = (child.processorTime ?? .zero) + Self.hearingTime
        guard case .listened(let found) = try child.reply(to: work, within: limit, patience: Self.hearingPatience),
            found.isPossible(for: question)
        else { throw child.nonsense(work) }
        return found
    }
}
