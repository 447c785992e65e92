package import ChirpCommunity
package import ChirpFlows
package import Foundation

/// When to listen, as somebody has typed it.
package struct LiveTimes {
    /// A duration.
    package var length: String
    /// Two times of day, as in `22:00-02:00`.
    package var frame: String
    /// The name of a zone (IANA), as the browser has it; empty: the server's.
    package var zone: String

    /// Listening lasts at most so many seconds.
    static let longest = 24 * 3600

    package init(length: String = "", frame: String = "", zone: String = "") {
        (self.length, self.frame, self.zone) = (length, frame, zone)
    }

    /// Why one cannot listen then.
    package enum Refusal: Error, Hashable {
        case length, frame, zone
        /// What is wrong with a frame that can be read.
        case window(LiveWindow.Refusal)

        /// For programs.
        var detail: String {
            switch self {
            case .length: "A duration like 10m, 2h or 1h30m is expected, 24h at most"
            case .frame: "Two times of day like 22:00-02:00 are expected"
            case .zone: "The zone is none of the IANA's names, as in Europe/Berlin"
            case .window(let refusal): refusal.whatHappened
            }
        }
    }

    /// - Returns: nil when no time was given. A frame goes before a duration.
    package func window(now: Date) throws(Refusal) -> ListeningWindow? {
        guard !frame.isEmpty || !length.isEmpty else { return nil }
        let choice: LiveWindow.Choice
        if frame.isEmpty {
            guard let seconds = Self.seconds(length) else { throw .length }
            choice = .duration(.seconds(seconds))
        } else {
            guard frame.utf8.count <= 40, let found = try? LiveWindow.Choice(between: frame) else { throw .frame }
            choice = found
        }
        guard let zone = Self.zone(named: zone) else { throw .zone }
        do throws(LiveWindow.Refusal) {
            let window = try LiveWindow(choice, now: now, zone: zone)
            guard let ends = window.ends else { throw .tooLong }
            // A frame of a whole day is an hour longer on one day of the year.
            let most = max(window.begins, now).addingTimeInterval(Double(Self.longest))
            return ListeningWindow(
                begins: window.begins, ends: min(ends, most), followsClock: window.followsClock)
        } catch {
            throw .window(error)
        }
    }

    /// `10m`, `2h`, `90m`, `1h30m`: 1 minute to 24 hours. Nil for everything else.
    package static func seconds(_ text: String) -> Int? {
        let text = text.filter { $0 != " " }.lowercased()
        guard (2...12).contains(text.utf8.count), text.utf8.allSatisfy({ $0 < 0x80 }),
            let parts = text.wholeMatch(of: #/(?:([0-9]{1,4})h)?(?:([0-9]{1,4})m(?:in)?)?/#)
        else { return nil }
        let minutes = (parts.1?.integer(in: 0...9999) ?? 0) * 60 + (parts.2?.integer(in: 0...9999) ?? 0)
        let seconds = minutes * 60
        return seconds > 0 && seconds <= longest ? seconds : nil
    }

    private static func zone(named name: String) -> TimeZone? {
        if name.isEmpty { return .current }
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte & 0xDF | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/_+-".utf8.contains(byte)
        }
        guard name.utf8.count <= 64, isPlain else { return nil }
        return TimeZone(identifier: name)
    }
}
