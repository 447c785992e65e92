package import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
internal import ChirpMP3
internal import Glibc

/// Makes the preview of a track: an MP3 of at most ``PreviewRules/longest``, at one loudness, with a voice over it if there is one.
///
/// Streaming, in bounded memory; the master is read twice, three times with a voice. Blocking: run it through `offPool`. May be repeated.
///
/// - Parameters:
///   - master: WAV, MP3 or what else is read.
///   - voice: a clip of at most ``VoiceOverlay/longest``; nil for none.
/// - Throws: ``AudioError``: `unsupported` for a master that is too long or too short, `nothingToHear` for silence.
package func makePreview(
    of master: ClipSource, _ wishes: PreviewWishes, voice: ClipSource? = nil, to destination: ClipDestination
) throws(AudioError) -> PreviewFacts {
    var request = ClipRequest(source: master, preset: .music)
    request.settings = MP3Settings(rate: .constant(kbps: 128))
    request.policy.trims = false
    request.policy.target = PreviewRules.target
    request.policy.ceiling = PreviewRules.ceiling
    request.policy.fade = PreviewRules.fade
    request.tag = ID3Tag(title: wishes.title, artist: wishes.artist, comment: "Preview")
    var plan = try prepare(request) { _ in }
    let seconds = plan.input.seconds
    guard (PreviewRules.shortestMaster / .seconds(1)...PreviewRules.longestMaster / .seconds(1)).contains(seconds)
    else {
        throw .unsupported(name: master.name, reason: "it is \(Int(seconds)) s long; a track has 1 s to 20 minutes")
    }
    guard !plan.plan.isSilent else { throw .nothingToHear(name: master.name, reason: "it is silent") }
    request.policy.maximumLength = PreviewRules.length(of: seconds)
    let kbps = PreviewRules.kbps(below: try averageKbps(master, seconds: seconds))
    request.settings = MP3Settings(rate: .constant(kbps: kbps))
    if let voice {
        request.source.overlay = try overlay(of: voice, wishes.places, over: plan, request)
    }
    plan = try prepare(request) { _ in }
    var outline: ClipOutline?
    let receipt = try make(plan, to: destination, findsDigest: false, outline: { outline = $0 }) { _ in }
    guard let clip = receipt.clip else { throw .library(name: "a preview without a clip", code: 0) }
    return PreviewFacts(
        seconds: clip.seconds, bytes: clip.bytes, sampleRate: clip.sampleRate, channels: clip.channels, kbps: kbps,
        loudness: receipt.level.afterLUFS, truePeak: receipt.level.truePeakDBTP,
        voice: request.source.overlay?.places ?? [], peaks: columns(outline?.magnitudes ?? []))
}

/// The rate of the master's file, whatever it is made of.
private func averageKbps(_ master: ClipSource, seconds: Double) throws(AudioError) -> Double {
    var facts = stat()
    // Where nothing may be opened, not even a file that is open already can be named.
    let result = openDescriptor(namedBy: master.path).map { fstat($0, &facts) } ?? stat(master.path, &facts)
    guard result == 0 else { throw .missing(path: master.name, reason: .system(.current)) }
    return Double(facts.st_size) * 8 / 1000 / seconds
}

/// The voice at the places that are left of those that were wished for, with what the music gives way at each: so much that it is as far below the
/// voice as it should be, by its own loudness there.
private func overlay(
    of voice: ClipSource, _ places: [Double], over plan: ClipPlan, _ request: ClipRequest
) throws(AudioError) -> VoiceOverlay {
    let analysis = plan.analysis
    let samples = try VoiceSamples(path: voice.path, name: voice.name, sampleRate: analysis.format.sampleRate)
    let length = analysis.format.seconds(ofFrames: samples.samples.count)
    let whole = plan.plan.before ?? PreviewRules.target
    let end = (request.policy.maximumLength ?? .zero) / .seconds(1)
    let loudest = analysis.loudestSecond
    let spared = loudest - PreviewRules.distance...loudest + 1 + PreviewRules.distance
    var found: [VoiceOverlay.Place] = []
    for place in places.prefix(PreviewRules.mostPlaces) where place >= 0 && place + length <= end {
        guard !spared.overlaps(place...place + length), place >= (found.last?.seconds ?? -length) + length else {
            continue
        }
        let rate = Double(LevelWindows.rate)
        let windows = Int(place * rate)..<min(analysis.windows.count, Int((place + length) * rate) + 1)
        let heard = analysis.loudness(of: windows).loudness ?? LUFS(-70)
        let duck = heard.value - whole.value + PreviewRules.prominence
        found.append(
            VoiceOverlay.Place(
                seconds: place, duck: min(PreviewRules.ducks.upperBound, max(PreviewRules.ducks.lowerBound, duck))))
    }
    return VoiceOverlay(
        path: voice.path, name: voice.name, gain: samples.loudness?.gain(to: whole) ?? .zero, places: found)
}

/// The highest magnitudes in so many columns of equal time.
private func columns(_ magnitudes: [Float]) -> [UInt8] {
    (0..<PreviewRules.columns).map { column in
        guard !magnitudes.isEmpty else { return 0 }
        let first = column * magnitudes.count / PreviewRules.columns
        let end = max(first + 1, (column + 1) * magnitudes.count / PreviewRules.columns)
        let highest = magnitudes[first..<min(end, magnitudes.count)].max() ?? 0
        return UInt8(min(255, max(0, highest * 255)))
    }
}

extension ClipAnalysis {
    /// When the loudest second begins, in seconds.
    package var loudestSecond: Double {
        let second = LevelWindows.rate
        guard windows.count > second else { return 0 }
        var sum = (0..<second).reduce(0.0) { $0 + windows[$1].loudness }
        var (best, highest) = (0, sum)
        for index in second..<windows.count {
            sum += windows[index].loudness - windows[index - second].loudness
            if sum > highest { (best, highest) = (index - second + 1, sum) }
        }
        return Double(best) / Double(second)
    }
}
