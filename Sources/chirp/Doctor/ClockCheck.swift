import Glibc

/// Whether the clock on the wall can be trusted: expiry dates and other machines' certificates depend on it.
enum ClockCheck {
    /// 2026-01-01 and 2100-01-01, in seconds since 1970. The program is younger than the first.
    private static let plausible = 1_767_225_600...4_102_444_800

    static func finding(now: Int = time(nil), isSynchronised: Bool? = synchronised()) -> Finding {
        guard plausible.contains(now) else {
            return .problem("clock", "the clock is wrong", cure: "Set it, for example with: timedatectl set-ntp true")
        }
        if isSynchronised == false {
            return .note(
                "clock", "the clock is plausible, but nothing keeps it right",
                cure: "On a machine of your own: timedatectl set-ntp true")
        }
        return .ok("clock", "plausible" + (isSynchronised == true ? " and synchronised" : "") + ", in \(zone(now))")
    }

    /// The zone in which times of day are printed, such as `CET`.
    private static func zone(_ now: Int) -> String {
        var (instant, parts) = (time_t(now), tm())
        guard localtime_r(&instant, &parts) != nil, let name = parts.tm_zone else { return "UTC" }
        return String(cString: name)
    }

    /// What systemd's time service says; nil when it is not the one in charge.
    private static func synchronised() -> Bool? {
        guard access("/run/systemd/timesync", F_OK) == 0 else { return nil }
        return access("/run/systemd/timesync/synchronized", F_OK) == 0
    }
}
