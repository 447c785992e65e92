import ChirpCommunity
import ChirpCore
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// The pages in a real browser (W-5, CH-13).
@Suite(.serialized)  // A browser takes both processors to start, and its answers have a time limit.
struct BrowserTests {
    /// Two and a half seconds of a tone as MP3, made by a program from outside the project.
    private func tone(_ house: HubHousehold) throws -> [UInt8] {
        let path = house.folder.path("tone.mp3")
        let made = try ExternalProgram("ffmpeg").run([
            "-loglevel", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=2.5", "-b:a", "64k", path,
        ])
        #expect(made.status == 0, "\(made.errors)")
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    @Test func `the player loads the clip, plays it and obeys the keyboard`() async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 2.5, peaks: [200, 200, 200]))
        let id = try await house.publish(try tone(house), title: "A tone")
        try await withLiveHub(house) { port in
            try await offPool {
                let browser = try Browser(width: 1280, height: 800)
                try browser.open("http://127.0.0.1:\(port)/c/\(id)")
                let audio = "document.querySelector('audio')"
                let loaded = """
                    new Promise((done) => { const audio = \(audio); const tell = () => done(audio.duration.toFixed(2));
                    audio.readyState > 0 ? tell() : audio.addEventListener('loadedmetadata', tell); })
                    """
                let duration = try #require(Double(try browser.value(loaded)))
                #expect(abs(duration - 2.5) < 0.1)
                #expect(try browser.value("getComputedStyle(\(audio)).display") == "none")

                // Keys belong to the player only while the focus is in it (WCAG 2.1.4).
                try browser.press("k", code: "KeyK", windowsCode: 75, text: "k")
                #expect(try browser.value("\(audio).paused") == "true")
                _ = try browser.value("document.querySelector('input[type=range]').focus()")
                try browser.press(" ", code: "Space", windowsCode: 32, text: " ")
                let advanced = """
                    new Promise((done) => \(audio).addEventListener('timeupdate', () => {
                    if (\(audio).currentTime > 0.1) done('plays'); }))
                    """
                #expect(try browser.value(advanced) == "plays")
                #expect(try browser.value("document.querySelector('[data-play]').ariaLabel") == "Pause")
                try browser.press("k", code: "KeyK", windowsCode: 75, text: "k")
                #expect(try browser.value("\(audio).paused") == "true")
                try browser.press("ArrowRight", code: "ArrowRight", windowsCode: 39)
                #expect(try browser.value("\(audio).currentTime >= \(audio).duration - 0.05") == "true")
                try browser.press("ArrowLeft", code: "ArrowLeft", windowsCode: 37)
                #expect(try browser.value("\(audio).currentTime") == "0")
                #expect(
                    try browser.value("document.querySelector('input[type=range]').getAttribute('aria-valuetext')")
                        == "0 seconds of 3 seconds")
            }
        }
    }

    /// Browsers name the origin "null" when a page tells them to send no referrer: no form of it would be taken.
    @Test func `a form that a browser sends is taken`() async throws {
        let house = try HubHousehold()
        try await withLiveHub(house, publicURL: "http://127.0.0.1:4747") { port in
            try await offPool {
                let browser = try Browser(width: 360, height: 800)
                try browser.open("http://127.0.0.1:\(port)/signin")
                try browser.follow(
                    """
                    document.querySelector('#username').value = 'nobody';
                    document.querySelector('#password').value = 'not the password';
                    document.querySelector('form').requestSubmit();
                    """)
                let alert = try browser.value("document.querySelector('[role=alert]').textContent.trim()")
                #expect(alert == "The name or the password is not right.")
                #expect(try browser.value("document.querySelector('#username').value") == "nobody")
            }
        }
    }

    @Test(arguments: [320, 360, 1280])
    func `no page scrolls sideways, and controls are large`(width: Int) async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 250, peaks: [9, 99, 200]))
        let name = String(repeating: "Verylongword", count: 12)
        let id = try await house.publish(title: name)
        try await house.post("https://x.example/\(String(repeating: "x", count: 300))", link: "https://x.example/")
        try await withLiveHub(house) { port in
            try await offPool {
                let browser = try Browser(width: width, height: 800)
                for path in ["/", "/c/\(id)", "/embed/\(id)", "/nothing", "/signin", "/reset", "/signout"] {
                    try browser.open("http://127.0.0.1:\(port)\(path)")
                    for size in ["100%", "225%"] {
                        _ = try browser.value("document.documentElement.style.setProperty('font-size', '\(size)')")
                        let overflow = try browser.value(
                            "document.documentElement.scrollWidth - document.documentElement.clientWidth")
                        #expect(overflow == "0", "\(path) at \(size) text")
                    }
                    // 44 by 44 CSS pixels at the least (WCAG 2.2, 2.5.5).
                    let small = """
                        [...document.querySelectorAll('button, select')].filter((e) => !e.hidden &&
                        (e.getBoundingClientRect().width < 44 || e.getBoundingClientRect().height < 44)).length
                        """
                    #expect(try browser.value(small) == "0", "\(path)")
                }
            }
        }
    }
}
