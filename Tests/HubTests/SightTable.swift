/// What a hub shows of a kind of thing: at which addresses, in which state, and to whom. Declared in `SightTable+Declared.swift`, written
/// into `Docs/rights.md`, and driven cell by cell by `SightTests`.
struct SightTable {
    /// As the rows name it: "clip".
    let kind: String
    let roles: [Role]
    /// The facts that name one thing of the kind in an address.
    let names: Set<String>
    let things: [Thing]
    let representations: [Representation]

    /// How someone who asks stands to the author.
    enum Role: String {
        /// Whose thing it is; of a person's own page that person.
        case author
        case follower
        /// Whom a direct post names.
        case addressed
        case member
        /// Followed the author, and was blocked then.
        case blocked
        case moderator, owner, visitor
    }

    /// A thing in a state.
    struct Thing {
        let name: String
        let meaning: String
        /// Who may see its page.
        let seers: Set<Role>
        /// Whoever has the address of its sound hears it.
        var isHeard = false
        /// Everybody could see it once, and some addresses say that it is gone (410).
        var isGone = false
    }

    /// An address, or several with the same use, that shows something of a thing.
    struct Representation {
        let name: String
        /// With names of facts in braces, which each thing and role has.
        let address: String
        var lens = Lens.viewer
        /// The things that it can show; nil: each.
        var things: Set<String>?
        /// The roles for which it can show something; nil: each.
        var readers: Set<Role>?
        /// Other readers of some things.
        var readersOf: [String: Set<Role>] = [:]
        var evidence = Evidence.words
        /// It says so of what is gone.
        var saysGone = false
        /// Only where the thing's board has it.
        var board: String?
    }

    /// Whose sight an address shows.
    enum Lens: String {
        case viewer = "who asks"
        case everybody = "visitors, whoever asks"
        case address = "whoever has the address"
        case readers = "moderators"
    }

    /// How it is known that something is shown.
    enum Evidence {
        /// A word that stands in the thing alone.
        case words
        /// Its id.
        case id
        /// The status: of sound, pictures and documents without words.
        case status
    }

    func shows(_ thing: Thing, _ representation: Representation, to role: Role) -> Bool {
        guard representation.things?.contains(thing.name) ?? true else { return false }
        let readers = representation.readersOf[thing.name] ?? representation.readers
        guard readers?.contains(role) ?? true else { return false }
        return switch representation.lens {
        case .viewer: thing.seers.contains(role)
        case .everybody: thing.seers.contains(.visitor)
        case .address: thing.isHeard
        case .readers: true
        }
    }

    /// The number of combinations.
    var cells: Int { things.count * representations.count * roles.count }

    static let markdown = """

        # Who sees what

        Every address that shows something of a clip, an item, a person or an attempt, for each state of it and each kind of viewer:
        "yes" where it is shown. `SightTests` drives each cell; where nothing is shown, the answer is the one for an id that never
        was, also to `HEAD` and to questions for what has changed. *By* names the viewer through which an address reads: what
        other sites embed, and feeds and documents for other servers, show what visitors see, whoever asks.


        """ + all.map(\.section).joined(separator: "\n")

    private var section: String {
        let meanings = things.map { "*\($0.name)*: \($0.meaning)" }.joined(separator: "; ")
        let head = """
            ## \(kind)

            \(meanings). \(cells) cells.

            | state | representation | address | by | \(roles.map(\.rawValue).joined(separator: " | ")) |
            |---|---|---|---|\(String(repeating: "---|", count: roles.count))

            """
        let rows = things.flatMap { thing in
            representations.map { representation in
                let marks = roles.map { shows(thing, representation, to: $0) ? "yes" : "" }.joined(separator: " | ")
                let address = "`\(representation.address)`"
                return
                    "| \(thing.name) | \(representation.name) | \(address) | \(representation.lens.rawValue) | \(marks) |"
            }
        }
        return head + rows.joined(separator: "\n") + "\n"
    }
}
