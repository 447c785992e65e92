import Testing
@Test func `stub Codec`() { #expect(1 + 1 == 2) }
