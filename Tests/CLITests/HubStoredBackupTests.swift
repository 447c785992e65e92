import ChirpTestKit
import Foundation
import Testing

/// `chirp hub backup --store` and `restore --store`, and the schedule of `chirp serve`.
@Suite struct HubStoredBackupTests {
    private let home: Household
    /// The clip that is published.
    private let id: String

    init() async throws {
        home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let published = try await home.run("publish", "take.wav", "--json").json()
        id = try #require((published["store"] as? [String: Any])?["id"] as? String)
    }

    private var place: [String: String] { ["CHIRP_HUB_BACKUP_PLACE": home.top("shelf")] }

    /// Data of another machine.
    private var elsewhere: [String: String] { place.merging(["XDG_DATA_HOME": home.top("elsewhere")]) { $1 } }

    @Test func `a hub goes into a folder, and one command brings it to another machine`() async throws {
        let saved = try await home.run("hub", "backup", "--store", "folder", "--json", environment: place)
        #expect(saved.status == 0, "\(saved.errors)")
        let answer = try saved.json()
        let name = try #require(answer["name"] as? String)
        #expect(answer["store"] as? String == "folder" && answer["clips"] as? Int == 1 && answer["file"] == nil)
        #expect(home.files(in: "shelf") == [name])
        let listed = try await home.shell("tar -tf ../shelf/\(name) && stat -c '%a %s' ../shelf/\(name)")
        #expect(listed.lines.contains("media/\(id).mp3"), "\(listed.text)")
        #expect(listed.lines.last == "600 \(answer["bytes"] as? Int ?? 0)")
        #expect(home.files(in: "data").allSatisfy { !$0.contains(".chirp-backup") })

        let restored = try await home.run("hub", "restore", "--store", "folder", environment: elsewhere)
        #expect(restored.status == 0, "\(restored.errors)")
        let same = try await home.shell(
            "cmp ../data/chirp/hub/media/\(id).mp3 ../elsewhere/chirp/hub/media/\(id).mp3 && ls -A ../elsewhere/chirp")
        #expect(same.status == 0 && same.lines == ["hub"], "\(same.text)\(same.errors)")
        let check = try await home.run("hub", "check", "--full", environment: elsewhere)
        #expect(check.status == 0, "\(check.text)")
        let again = try await home.run("hub", "restore", "--store", "folder", name, environment: elsewhere)
        #expect(again.status == 73 && again.errors.contains("not empty"), "\(again.errors)")
        let named = try await home.run(
            "hub", "restore", "--store", "folder", name,
            environment: elsewhere.merging(["XDG_DATA_HOME": home.top("third")]) { $1 })
        #expect(named.status == 0, "\(named.errors)")
    }

    @Test func `the words say where it is and how it comes back`() async throws {
        let saved = try await home.run("hub", "backup", "--store", "folder", environment: place)
        let name = try #require(home.files(in: "shelf").first)
        #expect(saved.text.hasPrefix("\(name): 1 clip, "), "\(saved.text)")
        #expect(saved.errors.contains("chirp hub restore --store folder \(name)"), "\(saved.errors)")
    }

    @Test func `what cannot be done is said, and nothing is made`() async throws {
        let name = "hub-20261126T030000Z.tar"
        let cases: [(arguments: [String], environment: [String: String], status: Int32, words: String)] = [
            (["backup"], place, 64, "--store s3"),
            (["backup", "hub.tar", "--store", "folder"], place, 64, "exclude each other"),
            (["backup", "--store", "drive"], place, 64, "drive"),
            (["backup", "--store", "folder"], [:], 78, "hub.backup.place"),
            (["backup", "--store", "folder"], ["CHIRP_HUB_BACKUP_PLACE": "shelf"], 78, "absolute path"),
            (
                ["backup", "--store", "folder"],
                ["CHIRP_HUB_BACKUP_PLACE": home.top("data") + "/chirp/hub/media"], 78, "outside the hub's own"
            ),
            (
                ["backup", "--store", "folder"],
                place.merging([
                    "CHIRP_FOLDER_PATH": home.top("shelf"), "CHIRP_FOLDER_PUBLIC_URL": "https://clips.example",
                ]) { $1 }, 78, "others cannot read"
            ),
            (["backup", "--store", "s3"], place, 78, "hub.backup.place"),
            (["backup", "--store", "s3"], ["CHIRP_HUB_BACKUP_PLACE": "backups"], 78, "s3.endpoint"),
            (["backup", "--store", "webdav"], ["CHIRP_HUB_BACKUP_PLACE": "backups"], 78, "address of a folder"),
            (["backup", "--store", "folder"], place.merging(["CHIRP_HUB_STAGING": "true"]) { $1 }, 64, "real one"),
            (["backup", "--store", "folder"], elsewhere, 66, "no hub"),
            (["restore"], elsewhere, 64, "--store s3"),
            (["restore", "--store", "folder", "hub.tar"], elsewhere, 64, "no backup's name"),
            (["restore", "--store", "folder"], elsewhere, 66, "no backup"),
            (["restore", "--store", "folder", name], elsewhere, 66, name),
        ]
        for (arguments, environment, status, words) in cases {
            let outcome = try await home.start(["hub"] + arguments, environment: environment).outcome()
            #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
            #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
            #expect(outcome.output.isEmpty, "\(arguments)")
        }
        #expect(home.files(in: "shelf").isEmpty && home.files(in: "elsewhere").isEmpty)
        #expect(home.files(in: "work") == ["take.wav"])
    }

    @Test func `a bucket takes it and gives it back`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let settings = [
            "CHIRP_S3_ENDPOINT": server.root, "CHIRP_S3_ACCESS_KEY_ID": RealS3.accessKeyID,
            "CHIRP_S3_SECRET_ACCESS_KEY": RealS3.secretKey, "CHIRP_HUB_BACKUP_PLACE": "\(RealS3.bucket)/backups",
        ]
        let saved = try await home.run("hub", "backup", "--store", "s3", environment: settings)
        #expect(saved.status == 0, "\(saved.errors)")
        #expect(try await server.names(in: "backups").count == 1)
        let restored = try await home.run(
            "hub", "restore", "--store", "s3",
            environment: settings.merging(["XDG_DATA_HOME": home.top("elsewhere")]) { $1 })
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(home.files(in: "elsewhere/chirp/hub/media") == ["\(id).mp3"])
        let shown = settings.merging([
            "CHIRP_S3_BUCKET": RealS3.bucket, "CHIRP_S3_PUBLIC_URL": "https://clips.example",
        ]) { $1 }
        let refused = try await home.run("hub", "backup", "--store", "s3", environment: shown)
        #expect(refused.status == 78 && refused.errors.contains("others cannot read"), "\(refused.errors)")
    }

    @Test func `a schedule that cannot work is said before anything is served, and doctor tells of one that lags`()
        async throws
    {
        let serving = try await home.run("serve", "--port", "0", environment: ["CHIRP_HUB_BACKUP_STORE": "folder"])
        #expect(serving.status == 78 && serving.errors.contains("hub.backup.place"), "\(serving.errors)")
        let schedule = place.merging(["CHIRP_HUB_BACKUP_STORE": "folder", "CHIRP_HUB_BACKUP_EVERY": "1h"]) { $1 }
        let fresh = try await home.run("doctor", "-v", environment: schedule)
        #expect(fresh.text.contains("none yet"), "\(fresh.text)")
        let diary = """
            {"v":1,"last":{"created":"2020-01-01T00:00:00Z","name":"hub-20200101T000000Z.tar","bytes":5,"place":"folder /x"}}
            """
        try Data(diary.utf8).write(to: URL(filePath: home.top("data") + "/chirp/hub/backups.json"))
        let lagging = try await home.run("doctor", "-v", environment: schedule)
        #expect(lagging.text.contains("hub-20200101T000000Z.tar"), "\(lagging.text)")
        #expect(lagging.text.contains("chirp hub backup --store folder"), "\(lagging.text)")
        for (key, value) in [("EVERY", "59m"), ("EVERY", "32d"), ("KEEP", "0"), ("KEEP", "1001"), ("STORE", "drive")] {
            let outcome = try await home.run("config", "show", environment: ["CHIRP_HUB_BACKUP_\(key)": value])
            #expect(outcome.status == 78, "\(key) \(value): \(outcome.errors)")
        }
    }
}
