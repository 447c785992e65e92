import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HubHousehold
import Hummingbird
import ServiceLifecycle
import Testing

/// The hub over a socket, with clients from outside the project.
@Suite struct LiveTests {
    @Test func `curl fetches a clip whole, in part and resumed`() async throws {
        let house = try HubHousehold()
        let bytes = (0..<3_000_017).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 7) }
        let id = try await house.save(bytes)
        try await withLiveHub(house) { port in
            let url = "http://127.0.0.1:\(port)/media/\(id).mp3"
            #expect(try await curl([url]).output == bytes)
            #expect(try await curl(["--range", "1000000-2000000", url]).output == Array(bytes[1_000_000...2_000_000]))
            #expect(try await curl(["--range", "-17", url]).output == Array(bytes.suffix(17)))
            let part = house.folder.path("part")
            try Data(bytes.prefix(1_234_567)).write(to: URL(filePath: part))
            _ = try await curl(["--continue-at", "-", "--output", part, url])
            #expect(try Data(contentsOf: URL(filePath: part)) == Data(bytes))
            let head = try await curl(["--head", url]).text
            #expect(head.hasPrefix("HTTP/1.1 200") && head.contains("Content-Length: 3000017"))
        }
    }

    @Test func `a clip published by another process is there at once`() async throws {
        let house = try HubHousehold()
        let publisher = try HubHousehold(sharing: house)
        try await withLiveHub(house) { port in
            for _ in 0..<5 {
                let id = try await publisher.publish(title: "from elsewhere")
                let status = try await curl([
                    "--output", "/dev/null", "--write-out", "%{http_code}", "http://127.0.0.1:\(port)/c/\(id)",
                ]).text
                #expect(status == "200")
            }
        }
    }

    @Test func `a large request is refused without being read, and the hub goes on`() async throws {
        let house = try HubHousehold()
        let large = house.folder.path("large")
        try Data(count: 5_000_000).write(to: URL(filePath: large))
        try await withLiveHub(house) { port in
            let url = "http://127.0.0.1:\(port)/"
            let status = ["--output", "/dev/null", "--write-out", "%{http_code}"]
            let posted = try await curl(status + ["--data-binary", "@\(large)", url]).text
            #expect(posted.hasPrefix("405"))
            let chunked = ["--header", "Transfer-Encoding: chunked", "--upload-file", large, "--request", "GET"]
            let streamed = try await curl(status + chunked + [url]).text
            #expect(streamed.hasPrefix("413"))
            let long = String(repeating: "x", count: 20_000)
            let wordy = try await curl(status + ["--header", "X-Long: \(long)", url]).text
            #expect(wordy == "400")
            let plain = try await curl(status + [url]).text
            #expect(plain == "200")
        }
    }

    @Test func `a folder has one server, and another hub may be served beside it`() async throws {
        let house = try HubHousehold()
        try await withLiveHub(house) { port in
            // Also when it was opened a second time, as by another process.
            let second = try HubHousehold(sharing: house).application(HubSettings(HubAddress(port: 0)))
            let error = await #expect(throws: HubError.self) { try await second.run() }
            #expect(error == .alreadyServed(folder: house.folder.path("hub"), isShared: false))
            #expect(error?.exitCode == .refused)
            try await house.publish(title: "published all the same")
            try await withLiveHub(HubHousehold()) { other in #expect(other != port) }
        }
        // The right ends with the server.
        try await withLiveHub(house) { #expect($0 > 0) }
    }

    @Test func `a port in use is explained`() async throws {
        let house = try HubHousehold()
        try await withLiveHub(house) { port in
            let second = HubApplication(
                settings: try HubSettings(HubAddress(port: port)), library: try HubHousehold().library,
                logger: HubHousehold.logger)
            let error = await #expect(throws: HubError.self) { try await second.run() }
            #expect(error == .portInUse(bind: "127.0.0.1", port: port))
            #expect(
                error?.cure
                    == .either(.advice("Stop what listens there (it may be another hub)"), .set(.hubPort)))
            #expect(error?.exitCode == .refused)
        }
    }

    @Test func `an address that is not this machine's is explained`() async throws {
        let house = try HubHousehold()
        let application = try house.application(HubSettings(HubAddress(bind: "203.0.113.7", port: 0)))
        let error = await #expect(throws: HubError.self) { try await application.run() }
        guard case .cannotBind = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `cancelling ends the hub`() async throws {
        let house = try HubHousehold()
        let (running, continuation) = AsyncStream<Int>.makeStream()
        let application = HubApplication(
            settings: try HubSettings(HubAddress(port: 0)), library: house.library, logger: HubHousehold.logger,
            onRunning: { continuation.yield($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            var iterator = running.makeAsyncIterator()
            #expect(try #require(await iterator.next()) > 0)
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
