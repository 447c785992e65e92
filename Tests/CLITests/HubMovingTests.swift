import Foundation
import Testing

/// A backup is taken while people publish and sign in, and the hub goes on elsewhere from it.
@Suite struct HubMovingTests {
    @Test func `a busy hub moves: every clip, byte for byte, and who was signed in stays so`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        for _ in 0..<2 { #expect(try await home.run("publish", "take.wav", "--again").status == 0) }
        let (media, elsewhere) = ("data/chirp/hub/media", ["XDG_DATA_HOME": home.top("elsewhere")])
        let before = home.files(in: media)
        #expect(before.count == 2)

        try await home.serving { port in
            let browser = HubBrowser(home, port: port, jar: "jar")
            #expect(try await browser.submit(home.ownerPath()).status == 303)
            #expect(try await browser.get("/settings").status == 200)

            async let publications = home.shell(
                "for i in 1 2 3 4 5 6; do chirp publish take.wav --again -q > /dev/null || exit 1; done")
            async let visits = signIns(6, home, port)
            for number in 1...3 {
                let outcome = try await home.run("hub", "backup", "hub\(number).tar", "--json")
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try outcome.json()["missing"] as? [String] == [])
            }
            let written = try await publications
            #expect(written.status == 0, "\(written.errors)")
            #expect(try await visits == 6)
        }

        // The first was taken right behind the sign-in; which publications are in it nobody knows.
        for number in [1, 3] {
            try? FileManager.default.removeItem(atPath: home.top("elsewhere"))
            let restored = try await home.run("hub", "restore", "hub\(number).tar", environment: elsewhere)
            #expect(restored.status == 0, "\(restored.errors)")
            let after = home.files(in: "elsewhere/chirp/hub/media")
            #expect(Set(after).isSuperset(of: before))
            for name in after {
                let (here, there) = (home.top("\(media)/\(name)"), home.top("elsewhere/chirp/hub/media/\(name)"))
                #expect(FileManager.default.contentsEqual(atPath: here, andPath: there), "\(name)")
            }
            let check = try await home.run("hub", "check", "--full", environment: elsewhere)
            #expect(check.status == 0, "\(check.text)")
            try await home.serving(environment: elsewhere) { port in
                let owner = try await HubBrowser(home, port: port, jar: "jar").get("/settings").status
                let stranger = try await HubBrowser(home, port: port, jar: "stranger").get("/settings").status
                #expect(owner == 200 && stranger == 303)
                for name in before {
                    let (url, file) = ("http://127.0.0.1:\(port)/media/\(name)", home.top("\(media)/\(name)"))
                    let same = try await home.shell("curl -sf \(url) | cmp - \(file)")
                    #expect(same.status == 0, "\(same.errors)")
                }
            }
        }
    }

    /// Signs the owner in again and again, each time in another browser; how often it was done.
    private func signIns(_ times: Int, _ home: Household, _ port: Int) async throws -> Int {
        var done = 0
        for number in 0..<times {
            let path = try await home.ownerPath()
            if try await HubBrowser(home, port: port, jar: "jar\(number)").submit(path).status == 303 { done += 1 }
        }
        return done
    }
}
