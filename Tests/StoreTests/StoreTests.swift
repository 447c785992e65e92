import Testing
@Test func `stub Store`() { #expect(1 + 1 == 2) }
