import ChirpCommunity
import ChirpPlaces
import ChirpRecords
import Foundation
import HubHousehold
import Testing

/// How people look at the board (OU-13, OU-18).
@Suite struct VisitTests {
    @Test func `somebody is introduced once, and says what local is`() async throws {
        let cast = try await ChallengeCast()
        #expect(try await cast.visits.visit(of: cast.ann) == ChallengeVisit())
        let now = cast.house.now
        for _ in 0..<2 {
            try await cast.visits.introduce(cast.ann)
            cast.house.wait(60)
        }
        try await cast.visits.choose(.init(ChallengeCast.bonn, radius: 25), name: " Bonn\n", for: cast.ann)
        let visit = try await cast.visits.visit(of: cast.ann)
        #expect(visit.introduced == now && visit.name == "Bonn" && visit.locality?.radius == 25)
        #expect(visit.locality?.centre == GeoPoint(nearLatitude: 50.73, longitude: 7.1))
        try await cast.visits.choose(nil, name: "Bonn", for: cast.ann)
        let later = try await cast.visits.visit(of: cast.ann)
        #expect(later.locality == nil && later.name.isEmpty && later.introduced == now)
        #expect(ChallengeIntroduction.next(0) == 1 && ChallengeIntroduction.next(2) == 3)
        #expect(ChallengeIntroduction.next(3) == nil && ChallengeIntroduction.next(.max) == nil)
        #expect(ChallengePlace.allCases.compactMap { $0.path("ann") }.count == 5)
        #expect(ChallengePlace.allCases.compactMap { $0.path(nil) } == ["/challenges?feed=local", "/challenges"])
    }
}
