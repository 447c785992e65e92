internal import ChirpBoards
internal import ChirpWeb

/// The fields of a listing's forms.
typealias ListingFields = FormFields<ListingField>

extension FormFields<ListingField> {
    init(form: ListingForm, faults: [ListingField: ListingFault]) {
        self.init(
            style: "listing", value: { form[$0] }, faults: faults.mapValues(\.sentence), label: \.label)
    }
}

extension ListingField {
    /// What it is called where it is told what is wrong with it.
    var label: String {
        switch self {
        case .side: word("listing.field.side")
        case .category: word("listing.field.category")
        case .title: word("listing.field.title")
        case .text: word("listing.field.text")
        case .pictures: word("listing.field.pictures")
        case .clip: word("listing.field.clip")
        case .place: word("listing.field.place")
        case .at: word("listing.field.at")
        case .precision: word("listing.field.precision")
        case .from: word("listing.field.from")
        case .to: word("listing.field.to")
        case .handover: word("listing.field.handover")
        case .reward: word("listing.field.reward")
        case .phone: word("listing.field.phone")
        case .question: word("listing.field.question")
        case .outcome: word("listing.field.outcome")
        case .reason: word("listing.field.reason")
        case .sure: word("listing.field.sure")
        }
    }
}
