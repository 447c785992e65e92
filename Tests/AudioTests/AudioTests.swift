import Testing
@Test func `stub Audio`() { #expect(1 + 1 == 2) }
