import ChirpHub
import ChirpOwnHub
import ChirpStores
import ChirpTestKit
import Foundation
import Glibc
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// The bytes of a clip over HTTP (RFC 9110, sections 8, 13 and 14).
@Suite struct MediaTests {
    /// Longer than one block of the stream, and not a multiple of it.
    private static let bytes = (0..<200_003).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    private static let size = 200_003

    private func get(
        _ house: HubHousehold, _ id: String, _ headers: HTTPFields = [:], _ method: HTTPRequest.Method = .get
    ) async throws -> TestResponse {
        try await house.application().application().test(.router) { client in
            try await client.execute(uri: "/media/\(id).mp3", method: method, headers: headers) { $0 }
        }
    }

    @Test func `the whole file arrives with what describes it`() async throws {
        let house = try HubHousehold()
        let id = try await house.save(Self.bytes, name: "Grüße \"x\".mp3")
        let response = try await get(house, id)
        #expect(response.status == .ok)
        #expect(Array(buffer: response.body) == Self.bytes)
        #expect(response.headers[.contentType] == "audio/mpeg")
        #expect(response.headers[.contentLength] == "\(Self.size)")
        #expect(response.headers[.acceptRanges] == "bytes")
        #expect(response.headers[.lastModified] == "Fri, 15 Jan 2027 08:00:00 GMT")
        #expect(response.headers[.cacheControl] == "private, max-age=300")
        #expect(
            response.headers[.contentDisposition]
                == "inline; filename=\"Gr__e _x_.mp3\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22x%22.mp3")
    }

    @Test(
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=0-99", 0..<100), ("bytes=100-", 100..<200_003),
            ("bytes=-1", 200_002..<200_003),
            ("bytes=-999999999", 0..<200_003), ("bytes=65535-65536", 65535..<65537), ("bytes=0-999999999", 0..<200_003),
            ("bytes=200002-200002", 200_002..<200_003), ("Bytes=5-9", 5..<10),
            ("bytes=7-99999999999999999999999999", 7..<200_003),
        ])
    func `one range is answered in part`(header: String, expected: Range<Int>) async throws {
        let house = try HubHousehold()
        let id = try await house.save(Self.bytes)
        let response = try await get(house, id, [.range: header])
        #expect(response.status == .partialContent)
        #expect(
            response.headers[.contentRange] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(Self.size)")
        #expect(response.headers[.contentLength] == "\(expected.count)")
        #expect(Array(buffer: response.body) == Array(Self.bytes[expected]))
    }

    @Test(arguments: ["bytes=200003-", "bytes=200003-200004", "bytes=-0", "bytes=99999999999999999999999999-"])
    func `a range behind the end is refused with the size`(header: String) async throws {
        let house = try HubHousehold()
        let id = try await house.save(Self.bytes)
        let response = try await get(house, id, [.range: header])
        #expect(response.status == .rangeNotSatisfiable)
        #expect(response.headers[.contentRange] == "bytes */\(Self.size)")
    }

    @Test(
        arguments: [
            "bytes=5-4", "bytes=", "bytes=-", "bytes=a-b", "bytes=1-2,4-5", "items=0-1", "bytes 0-1", "bytes=+1-2",
            "bytes=--1", "bytes=0x1-2",
        ])
    func `what is not one valid range is ignored`(header: String) async throws {
        let house = try HubHousehold()
        let id = try await house.save([1, 2, 3, 4, 5, 6])
        let response = try await get(house, id, [.range: header])
        #expect(response.status == .ok)
        #expect(Array(buffer: response.body) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `what the asker has is not sent again`() async throws {
        let house = try HubHousehold()
        let id = try await house.save([1, 2, 3])
        let tag = try #require(try await get(house, id).headers[.eTag])
        #expect(tag.count == 66 && tag.hasPrefix("\""))
        for value in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let response = try await get(house, id, [.ifNoneMatch: value])
            #expect(response.status == .notModified)
            #expect(response.body.readableBytes == 0)
            #expect(response.headers[.eTag] == tag)
        }
        #expect(try await get(house, id, [.ifNoneMatch: "\"other\""]).status == .ok)
        let date = "Fri, 15 Jan 2027 08:00:00 GMT"
        #expect(try await get(house, id, [.ifModifiedSince: date]).status == .notModified)
        #expect(try await get(house, id, [.ifModifiedSince: date, .ifNoneMatch: "\"other\""]).status == .ok)
    }

    @Test func `a range of another state is answered with the whole`() async throws {
        let house = try HubHousehold()
        let id = try await house.save([1, 2, 3])
        let tag = try #require(try await get(house, id).headers[.eTag])
        #expect(try await get(house, id, [.range: "bytes=1-1", .ifRange: tag]).status == .partialContent)
        for other in ["\"other\"", "W/\(tag)", "Fri, 15 Jan 2027 07:59:59 GMT"] {
            #expect(try await get(house, id, [.range: "bytes=1-1", .ifRange: other]).status == .ok)
        }
    }

    @Test func `an empty file is sent as such`() async throws {
        let house = try HubHousehold()
        let id = try await house.save([])
        #expect(try await get(house, id).status == .ok)
        #expect(try await get(house, id, [.range: "bytes=0-"]).status == .rangeNotSatisfiable)
    }

    @Test func `nobody keeps a clip beyond its time`() async throws {
        let house = try HubHousehold()
        let id = try await house.save([1], expires: house.now + 42)
        #expect(try await get(house, id).headers[.cacheControl] == "private, max-age=42")
    }

    @Test(arguments: ["mkfifo", "mkdir"])
    func `what is no file in a clip's place is a failure, and is not waited for`(command: String) async throws {
        let house = try HubHousehold()
        let id = try await house.save(Self.bytes)
        let file = "\(house.mediaFolder)/\(id).mp3"
        try FileManager.default.removeItem(atPath: file)
        #expect(command == "mkfifo" ? mkfifo(file, 0o600) == 0 : mkdir(file, 0o700) == 0)
        #expect(try await get(house, id).status == .internalServerError)
        #expect(try await get(house, id, [.range: "bytes=-5"]).status == .internalServerError)
        let goal = house.folder.path("copy")
        await #expect(throws: StoreError.self) { try await house.store.load(StoredObject.ID(id), to: goal) }
    }
}
