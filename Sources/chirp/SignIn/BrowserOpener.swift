import FoundationEssentials

/// Opens an address in the user's browser, where there is one.
enum BrowserOpener {
    /// - Returns: whether one was asked to; it may still fail on its own.
    static func open(_ address: String) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] ?? environment["WAYLAND_DISPLAY"] != nil else { return false }
        return ProgramStart(program: "xdg-open", words: ["xdg-open", address]).start() != nil
    }
}
