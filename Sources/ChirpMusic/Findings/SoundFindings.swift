/// What a machine has found in the sound of an attempt, for those who judge it: it decides nothing.
package struct SoundFindings: Codable, Hashable, Sendable {
    /// What is looked for.
    package struct Question: Codable, Hashable, Sendable {
        /// Of the attempt, four digits; nil: it was begun without start tones.
        package let code: String?
        /// What is counted, as in ``EventCount/Kind``; nil: nothing.
        package let counted: String?

        /// Nil when nothing is looked for.
        package init?(code: AttemptCode?, counting kind: EventCount.Kind?) {
            guard code != nil || kind != nil else { return nil }
            self.code = code?.description
            counted = kind?.rawValue
        }
    }

    /// From the start tones to the stop, as in ``TimedTake``.
    package struct Timed: Codable, Hashable, Sendable {
        /// In seconds from the beginning of the recording.
        package let start, stop: Double
        /// In seconds, by the clock of the device that played the tones where that is known.
        package let duration: Double
        /// `tone` or `sound`: what marks the end.
        package let ending: String
        /// By how many millionths the clock of the recording is faster; nil when that cannot be told.
        package let drift: Double?
        /// 0 to 1; below 0.3 somebody should listen.
        package let confidence: Double
    }

    /// A sound that was counted.
    package struct Event: Codable, Hashable, Sendable {
        /// From the beginning of the recording.
        package let seconds: Double
        package let strength: Double
    }

    /// Why it was not timed.
    package enum Trouble: String, Codable, Hashable, Sendable, CaseIterable {
        /// There is nothing to hear in it, or it has no sound.
        case noSound
        /// What was sent ends in the middle, or cannot be read to its end.
        case cut
        /// As in ``TimedTakeError``.
        case noStart, noCode, wrongCode, speed, noStop
        /// It has too few samples a second.
        case rate
        /// Nobody has listened: no machine could.
        case unheard
    }

    /// How long the sound is.
    package let seconds: Double
    package let timed: Timed?
    package let trouble: Trouble?
    /// Of ``Trouble/wrongCode``: the code that was heard instead.
    package let heardCode: String?
    /// Of ``Trouble/speed``: by how many millionths, above 0 when it is too slow.
    package let speed: Int?
    /// What was counted, as in ``EventCount/Kind``; nil: nothing.
    package let counted: String?
    /// How many there are, also those that are not among ``events``. Nil: nothing was counted.
    package let count: Int?
    /// In the order of time, at most ``mostEvents``: within the attempt where that was timed, otherwise in all of the recording.
    package let events: [Event]

    /// The highest magnitude of each of ``mostPeaks`` equally long stretches, 255 being full scale; nil in what an earlier release has found.
    package let peaks: [UInt8]?

    /// What a picture of it needs.
    package static let mostPeaks = 200
    /// More are not drawn; all are counted.
    package static let mostEvents = 600
    /// More than so many do not sound, in seconds; the longest film is shorter.
    package static let longest = 600.0
    private static let mostCounted = 100_000
    /// What is softer at its loudest is silence: -80 dB.
    private static let silence: Float = 1e-4

    /// Listens.
    ///
    /// - Parameters:
    ///   - samples: mono, full scale 1.
    ///   - rate: in hertz.
    ///   - isCut: what they were read from ends in the middle.
    package init(_ question: Question, in samples: borrowing Span<Float>, rate: Int, isCut: Bool = false) {
        seconds = Self.rounded(Double(samples.count) / Double(max(1, rate)))
        var (take, trouble, code, speed): (TimedTake?, Trouble?, String?, Int?) = (nil, nil, nil, nil)
        let heights = Self.heights(of: samples)
        let loudest = heights.max() ?? 0
        peaks = heights.map { UInt8(min(255, ($0 * 255).rounded(.up))) }
        if loudest < Self.silence {
            trouble = .noSound
        } else if let wanted = question.code.flatMap({ AttemptCode($0) }) {
            do throws(TimedTakeError) { take = try TimedTake.find(in: samples, rate: rate, code: wanted) } catch {
                switch error {
                case .noStart: trouble = .noStart
                case .noCode: trouble = .noCode
                case .wrongCode(let heard): (trouble, code) = (.wrongCode, heard.description)
                case .speed(let millionths): (trouble, speed) = (.speed, millionths)
                case .noStop: trouble = isCut ? .cut : .noStop
                case .rate: trouble = .rate
                }
            }
        }
        self.trouble = trouble ?? (isCut ? .cut : nil)
        (heardCode, self.speed) = (code, speed)
        timed = take.map { take in
            Timed(
                start: Self.rounded(take.start), stop: Self.rounded(take.stop), duration: Self.rounded(take.duration),
                ending: take.ending.rawValue, drift: take.drift.map(Self.rounded),
                confidence: Self.rounded(take.confidence))
        }
        guard let kind = question.counted.flatMap({ EventCount.Kind(rawValue: $0) }), loudest >= Self.silence,
            rate >= 4000
        else {
            (counted, count, events) = (nil, nil, [])
            return
        }
        let found: EventCount
        if let take {
            found = EventCount(of: kind, in: samples, rate: rate, during: take)
        } else {
            found = EventCount(of: kind, in: samples, rate: rate)
        }
        (counted, count) = (kind.rawValue, found.count)
        events = found.events.prefix(Self.mostEvents).map { event in
            Event(seconds: Self.rounded(event.seconds), strength: Self.rounded(event.strength))
        }
    }

    /// The highest magnitude of each stretch; none is NaN.
    private static func heights(of samples: borrowing Span<Float>) -> [Float] {
        let count = samples.count
        return (0..<min(mostPeaks, count)).map { stretch in
            let parts = min(mostPeaks, count)
            var highest: Float = 0
            for index in stretch * count / parts..<(stretch + 1) * count / parts where abs(samples[index]) > highest {
                highest = abs(samples[index])
            }
            return highest
        }
    }

    /// Of what has no sound at all, or none that can be read.
    package init(_ trouble: Trouble) {
        (seconds, self.trouble, events, peaks) = (0, trouble, [], nil)
        (timed, heardCode, speed, counted, count) = (nil, nil, nil, nil, nil)
    }

    /// To a tenth of a millisecond, so that the same recording is always told in the same few bytes.
    private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

    /// Whether they answer a question, in numbers that there can be: another process is not believed.
    package func isPossible(for question: Question) -> Bool {
        func isInstant(_ value: Double) -> Bool { value >= -0.01 && value <= seconds + 0.01 }
        guard seconds >= 0, seconds <= Self.longest + 1, (counted == nil) == (count == nil),
            counted == nil || counted == question.counted, timed == nil || question.code != nil,
            timed == nil || trouble == nil || trouble == .cut, (heardCode != nil) == (trouble == .wrongCode),
            heardCode.map({ AttemptCode($0) != nil && $0 != question.code }) ?? true,
            (speed != nil) == (trouble == .speed),
            (speed.map { abs(Int64($0)) <= 1_000_000 }) ?? true
        else { return false }
        if let timed {
            guard isInstant(timed.start), isInstant(timed.stop), timed.start <= timed.stop, timed.duration >= 0,
                timed.duration <= seconds + 1, TimedTake.Ending(rawValue: timed.ending) != nil,
                (0...1).contains(timed.confidence), abs(timed.drift ?? 0) <= 1000
            else { return false }
        }
        guard (peaks?.count ?? 0) <= Self.mostPeaks, events.count <= Self.mostEvents,
            (events.count...Self.mostCounted).contains(count ?? events.count),
            count != nil || events.isEmpty
        else { return false }
        return events.allSatisfy { isInstant($0.seconds) && (0...10_000).contains($0.strength) }
            && zip(events, events.dropFirst()).allSatisfy { $0.seconds <= $1.seconds }
    }
}
