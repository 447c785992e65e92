import Testing
@Test func `stub CLI`() { #expect(1 + 1 == 2) }
