import ChirpTestKit
import Foundation
import Glibc
import Testing

/// `--store s3` through the built program, against a service that was not written here (CH-5, CH-6, W-4, W-5).
@Suite struct S3StoreTests {
    private let home: Household
    private let arguments = ["publish", "take.wav", "--store", "s3", "--network", "none", "-v"]

    init() throws {
        home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
    }

    private func settings(_ server: RealS3) -> [String: String] {
        [
            "CHIRP_S3_ENDPOINT": server.root, "CHIRP_S3_BUCKET": RealS3.bucket, "CHIRP_S3_FOLDER": "anna",
            "CHIRP_S3_PUBLIC_URL": "https://clips.example/anna", "CHIRP_S3_ACCESS_KEY_ID": RealS3.accessKeyID,
            "CHIRP_S3_SECRET_ACCESS_KEY": RealS3.secretKey,
        ]
    }

    @Test func `a recording becomes an object, and the room is asked for first`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let outcome = try await home.start(arguments, environment: settings(server)).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let name = try #require(try await server.names(in: "anna").first)
        #expect(outcome.lines.last == "https://clips.example/\(name)")
        let full = try await home.start(
            arguments + ["--again"], environment: settings(server).merging(["CHIRP_S3_LIMIT": "1000B"]) { $1 }
        ).outcome()
        #expect(full.status == 4, "\(full.errors)")
        #expect(try await server.names(in: "anna") == [name])
        let doctor = try await home.run(
            "doctor", "-v", "--json", environment: settings(server).merging(["CHIRP_STORE": "s3"]) { $1 })
        #expect(doctor.text.contains("s3 answers"), "\(doctor.text)")
        let swept = try await home.run("sweep", "-v", environment: settings(server))
        #expect(swept.status == 0, "\(swept.errors)")
        for outcome in [outcome, full, doctor, swept] {
            for secret in [RealS3.secretKey, "AWS4-HMAC", "Signature="] {
                #expect(!outcome.text.contains(secret) && !outcome.errors.contains(secret), "\(outcome.errors)")
            }
        }
    }

    @Test func `a publication that was killed is finished as one object`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        for point in ["uploading", "saved", "linked"] {
            let killed = try await home.start(
                arguments + ["--again"], environment: settings(server).merging(["CHIRP_FAULT": point]) { $1 }
            ).outcome()
            #expect(killed.status != 0, "\(point)")
            let elsewhere = settings(server).merging(["CHIRP_S3_FOLDER": "berta"]) { $1 }
            let other = try await home.run("outbox", "resume", environment: elsewhere)
            #expect(other.status != 0, "\(point)")
            let resumed = try await home.run("outbox", "resume", environment: settings(server))
            #expect(resumed.status == 0, "\(point): \(resumed.errors)")
        }
        #expect(try await server.names(in: "anna").count == 3)
        #expect(try await server.names(in: "berta").isEmpty)
    }

    @Test func `what the store needs is named`() async throws {
        let bare = try await home.run("publish", "take.wav", "--store", "s3")
        #expect(bare.status == 78)
        #expect(bare.errors.contains("s3.endpoint") && bare.errors.contains("CHIRP_S3_ENDPOINT"), "\(bare.errors)")
        let server = try await RealS3.started(.rclone)
        var environment = settings(server)
        environment["CHIRP_S3_SECRET_ACCESS_KEY"] = nil
        let keyless = try await home.start(arguments, environment: environment).outcome()
        #expect(keyless.status == 77)
        #expect(keyless.errors.contains("CHIRP_S3_SECRET_ACCESS_KEY"), "\(keyless.errors)")
        let path = try home.write(Data("\(RealS3.accessKeyID)\n\(RealS3.secretKey)\n".utf8), to: "keys")
        environment["CHIRP_S3_KEY_FILE"] = path
        #expect(chmod(path, 0o644) == 0)
        let open = try await home.start(arguments, environment: environment).outcome()
        #expect(open.status == 77)
        #expect(open.errors.contains("chmod 600") && !open.errors.contains(RealS3.secretKey), "\(open.errors)")
        #expect(chmod(path, 0o600) == 0)
        let outcome = try await home.start(arguments, environment: environment).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}
