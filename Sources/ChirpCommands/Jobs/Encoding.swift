internal import ChirpAudio
package import ChirpClips
internal import ChirpCore
internal import Glibc

/// A clip as a local file or into a pipe: what `encode` and `record -o` have in common.
package struct Encoding: Sendable {
    /// A path, or `-` for standard input.
    let input: String
    /// A path, or `-` for standard output.
    let output: String
    let clip: ClipChoices
    let session: Session
    let progress: ProgressView
    /// Carry the recording's own tags over; see `KeptTags`.
    var keepsTags = false

    package init(input: String, output: String, clip: ClipChoices, session: Session, progress: ProgressView) {
        (self.input, self.output, self.clip) = (input, output, clip)
        (self.session, self.progress) = (session, progress)
    }

    /// - Throws: ``UsageError`` when the clip would go to a terminal.
    package func refuseTerminal() throws(UsageError) {
        if output == "-" && isatty(STDOUT_FILENO) == 1 {
            throw UsageError("an MP3 is not for a terminal to show", cure: "Give -o FILE, or send it into a pipe")
        }
    }

    package func receipt() async throws -> Receipt {
        defer { progress.end() }
        let clock = ContinuousClock()
        let begin = clock.now
        return try await Input.with(input, session, digests: false) { input in
            let read = clock.now - begin
            try refuseOverwriting(input)
            var request = try clip.request(
                source: input.source, config: session.config, maximumLength: clip.maxLength?.value,
                maximumBytes: clip.maxBytes?.value)
            let source = input.source
            let kept = keepsTags ? await offPool { KeptTags(of: source) } : KeptTags()
            request.tag = kept.filling(request.tag)
            let destination: ClipDestination = output == "-" ? .descriptor(STDOUT_FILENO) : .file(output)
            var receipt = try await made(request, to: destination)
            receipt.notes += kept.notes
            receipt.timings.read = read / .seconds(1)
            receipt.timings.total = (clock.now - begin) / .seconds(1)
            return receipt
        }
    }

    private func made(_ request: ClipRequest, to destination: ClipDestination) async throws -> Receipt {
        let progress = progress
        let isReceiptRead = session.console.json
        do throws(AudioError) {
            return try await offPool { () throws(AudioError) in
                let show: @Sendable (ClipProgress) -> Void = { progress.advance($0.step.rawValue, to: $0.fraction) }
                let clip = try prepare(request, findsDigest: isReceiptRead, progress: show)
                return try make(clip, to: destination, findsDigest: isReceiptRead, progress: show)
            }
        } catch {
            if case .inputOutput = error, output == "-", Terminal.readerHasGone { throw OutputError.closed }
            throw error
        }
    }

    private func refuseOverwriting(_ input: Input) throws(UsageError) {
        var (from, to) = (stat(), stat())
        guard output != "-", stat(input.path, &from) == 0, stat(output, &to) == 0,
            from.st_dev == to.st_dev, from.st_ino == to.st_ino
        else { return }
        throw UsageError("the output is the input itself", cure: "Give another -o FILE")
    }
}
