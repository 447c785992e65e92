import Testing
@Test func `stub Network`() { #expect(1 + 1 == 2) }
