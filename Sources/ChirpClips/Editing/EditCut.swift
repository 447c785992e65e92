internal import ChirpAudio

/// The first half of a plan: which frames are kept.
struct EditCut {
    var frames: Range<Int>
    /// The whole windows of it.
    var windows: Range<Int>
    var headFrames: Int
    var tailFrames: Int
    var isCapped = false
    var fadeFrames = 0
    var notes: [Receipt.Note] = []

    init(_ analysis: ClipAnalysis, policy: EditPolicy) {
        var kept = 0..<analysis.windows.count
        if policy.trims, let voiced = analysis.gate.voiced {
            let preRoll = Self.windows(in: policy.preRoll)
            let postRoll = Self.windows(in: policy.postRoll)
            kept = max(0, voiced.lowerBound - preRoll)..<min(kept.upperBound, voiced.upperBound + postRoll)
            if !analysis.gate.isCertain && analysis.windows.count > 50 {
                notes.append(
                    Receipt.Note(
                        code: "trim-kept-all", text: "nothing was trimmed: silence and sound cannot be told apart"))
            }
        }
        // A second for whoever counts in whole ones.
        if let end = policy.end, end / .milliseconds(10) > Double(analysis.windows.count + LevelWindows.rate) {
            notes.append(Receipt.Note(code: "ends-sooner", text: "the recording ends before the end that was chosen"))
        }
        kept = Self.chosen(policy, among: analysis.windows.count, otherwise: kept)
        let start = analysis.frame(ofWindow: kept.lowerBound)
        let end = analysis.frame(ofWindow: kept.upperBound)
        headFrames = start
        tailFrames = analysis.frames - end
        frames = start..<end
        windows = kept

        guard let maximum = policy.maximumLength else { return }
        let cap = max(1, analysis.format.frames(in: maximum))
        guard frames.count > cap else { return }
        isCapped = true
        let lastWindow = min(
            kept.upperBound, LevelWindows.window(atFrame: start + cap, sampleRate: analysis.format.sampleRate))
        if let pause = Self.pause(in: analysis, before: lastWindow, after: kept.lowerBound) {
            frames = start..<analysis.frame(ofWindow: pause)
            windows = kept.lowerBound..<pause
        } else {
            frames = start..<(start + cap)
            windows = kept.lowerBound..<lastWindow
        }
        fadeFrames = min(frames.count, max(1, analysis.format.frames(in: policy.fade)))
        notes.append(
            Receipt.Note(code: "capped", text: "the clip ends early: it would be longer than the length limit"))
    }

    /// What a person has chosen goes before what was found; at least one window is left of a recording that has any.
    private static func chosen(_ policy: EditPolicy, among count: Int, otherwise found: Range<Int>) -> Range<Int> {
        guard count > 0, policy.begin != nil || policy.end != nil else { return found }
        func window(_ instant: Duration) -> Int {
            Int(min(max(instant / .milliseconds(10), 0), Double(count)).rounded())
        }
        let lower = min(policy.begin.map(window) ?? found.lowerBound, count - 1)
        let upper = policy.end.map(window) ?? found.upperBound
        if upper > lower { return lower..<upper }
        // The other end was found where nothing is left.
        return policy.end == nil ? lower..<count : min(lower, max(upper - 1, 0))..<max(upper, 1)
    }

    private static func windows(in duration: Duration) -> Int {
        max(0, Int((duration / .milliseconds(10)).rounded(.up)))
    }

    /// The window at which to end in the last pause within 2 s before the cap; nil when there is none.
    private static func pause(in analysis: ClipAnalysis, before cap: Int, after start: Int) -> Int? {
        guard analysis.gate.isCertain else { return nil }
        let from = max(start + 1, cap - 2 * LevelWindows.rate)
        var index = cap - 1
        var quiet = 0
        while index >= from {
            if analysis.windows[index].voiceCode < analysis.gate.openCode {
                quiet += 1
            } else {
                if quiet >= 10 { break }
                quiet = 0
            }
            index -= 1
        }
        // Two seconds without any sound are no pause in something, and the cap may as well stand where it is.
        guard quiet >= 10, index >= from else { return nil }
        // Up to 150 ms of the pause are kept, for the sound to end.
        return index + 1 + min(quiet, 15)
    }
}
