import Testing

/// `hub.staging: true`: another hub beside the real one.
@Suite struct HubStagingTests {
    private let home: Household
    private let staging = ["CHIRP_HUB_STAGING": "true"]

    init() throws {
        home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
    }

    @Test func `what is tried on it touches nothing of the real one`() async throws {
        let tried = try await home.run("publish", "take.wav", environment: staging)
        #expect(tried.status == 0, "\(tried.errors)")
        #expect(home.files(in: "data/chirp-staging/hub/media").count == 1)
        #expect(home.files(in: "data/chirp").isEmpty && home.files(in: "state/chirp").isEmpty)

        // The real one has not heard of it, so this is no repetition.
        let real = try await home.run("publish", "take.wav")
        #expect(real.status == 0 && real.text != tried.text, "\(real.errors)")
        #expect(home.files(in: "data/chirp/hub/media").count == 1)
        #expect(home.files(in: "data/chirp-staging/hub/media").count == 1)
    }

    @Test func `yesterday's backup is tried on it`() async throws {
        #expect(try await home.run("publish", "take.wav").status == 0)
        #expect(try await home.run("hub", "backup", "hub.tar").status == 0)
        let restored = try await home.run("hub", "restore", "hub.tar", environment: staging)
        #expect(restored.status == 0 && restored.text.contains("chirp-staging/hub"), "\(restored.errors)")
        #expect(try await home.run("hub", "check", "--full", environment: staging).status == 0)
    }
}
