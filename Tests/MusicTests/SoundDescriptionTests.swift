import ChirpMusic
import Foundation
import Testing

struct SoundDescriptionTests {
    private let numbers = (0..<64).map { Float($0) * 1.5 - 40 }

    @Test func `its bytes are the version, the count and floats with the lowest byte first`() throws {
        let bytes = try #require(SoundDescription(numbers)).bytes
        #expect(bytes.count == SoundDescription.byteCount && bytes.count == 260)
        #expect(bytes.prefix(4) == [1, 0, 64, 0])
        // -40 is 0xC2200000.
        #expect(bytes[4..<8] == [0, 0, 0x20, 0xC2])
        #expect(try SoundDescription(bytes: bytes).numbers == numbers)
    }

    @Test func `bytes that are none are refused, with the reason`() throws {
        var bytes = try #require(SoundDescription(numbers)).bytes
        #expect(throws: SoundDescriptionError.length(0)) { try SoundDescription(bytes: []) }
        #expect(throws: SoundDescriptionError.length(259)) { try SoundDescription(bytes: bytes.dropLast()) }
        #expect(throws: SoundDescriptionError.length(261)) { try SoundDescription(bytes: bytes + [0]) }
        bytes[0] = 2
        #expect(throws: SoundDescriptionError.version(2)) { try SoundDescription(bytes: bytes) }
        bytes[0] = 1
        bytes[2] = 63
        #expect(throws: SoundDescriptionError.length(260)) { try SoundDescription(bytes: bytes) }
        bytes[2] = 64
        // No number in place 3.
        bytes.replaceSubrange(16..<20, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: SoundDescriptionError.number(at: 3)) { try SoundDescription(bytes: bytes) }
    }

    @Test func `too few numbers and what is no number are none`() {
        #expect(SoundDescription(Array(numbers.dropLast())) == nil)
        #expect(SoundDescription([.nan] + numbers.dropFirst()) == nil)
        #expect(SoundDescription([.infinity] + numbers.dropFirst()) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(SoundDescription.self, from: Data("[1,2,3]".utf8))
        }
    }

    @Test func `its parts are all of it`() {
        #expect(SoundDescription.Part.allCases.flatMap(\.range) == Array(0..<SoundDescription.count))
        #expect(SoundDescription.Part.allCases.map(\.range.count) == [27, 19, 6, 6, 6])
    }
}
