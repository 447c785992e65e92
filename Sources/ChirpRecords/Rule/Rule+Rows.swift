internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB

extension Rule {
    /// The columns that a rule is made of.
    private static let columns = """
        rules.*, (SELECT COUNT(*) FROM attempts WHERE attempts.rule = rules.sequence) AS tried
        """

    /// The version of a challenge's rule that takes attempts.
    static func newest(of challenge: HubID, in database: Database) throws -> Rule? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT \(columns) FROM rules WHERE challenge = ? ORDER BY version DESC LIMIT 1"),
            arguments: [challenge.text]
        ).flatMap { Rule(NamedRow($0)) }
    }

    static func rule(_ id: Int64, in database: Database) throws -> Rule? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(columns) FROM rules WHERE sequence = ?"), arguments: [id]
        ).flatMap { Rule(NamedRow($0)) }
    }

    /// All versions of some challenges' rules, the newest of each first.
    static func all(of challenges: [HubID], in database: Database) throws -> [HubID: [Rule]] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(columns) FROM rules WHERE challenge IN (SELECT value FROM json_each(?))
                    ORDER BY version DESC
                    """), arguments: [challenges.map(\.text).statementList()])
        var found: [HubID: [Rule]] = [:]
        for row in NamedRow.all(rows) {
            guard let id = HubID(row["challenge"] as String), let rule = Rule(row) else { continue }
            found[id, default: []].append(rule)
        }
        return found
    }

    /// Of which challenge a version is, and what it says.
    struct Place {
        let challenge: HubID
        let version: Int
        let terms: RuleTerms
    }

    /// The same of some versions, by their numbers.
    static func places(of rules: Set<Int64>, in database: Database) throws -> [Int64: Place] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM rules WHERE sequence IN (SELECT value FROM json_each(?))"),
            arguments: [rules.sorted().statementList()])
        var found: [Int64: Place] = [:]
        for row in NamedRow.all(rows) {
            guard let challenge = HubID(row["challenge"] as String), let terms = RuleTerms(row) else { continue }
            found[row["sequence"]] = Place(challenge: challenge, version: row["version"], terms: terms)
        }
        return found
    }

    /// The numbers of all versions of a challenge's rule, the newest first.
    static func versions(of challenge: HubID, in database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(sql: "SELECT sequence FROM rules WHERE challenge = ? ORDER BY version DESC"),
            arguments: [challenge.text])
    }

    /// How many attempts there were at a challenge, by whichever version and however they ended.
    static func attempts(at challenge: HubID, butOf account: AccountID? = nil, in database: Database) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT COUNT(*) FROM rules JOIN attempts ON attempts.rule = rules.sequence
                    WHERE rules.challenge = ? AND attempts.account IS NOT ?
                    """), arguments: [challenge.text, account]) ?? 0
    }

    /// Who has an attempt at a rule that is not decided.
    static func people(trying rule: Int64, in database: Database) throws -> [AccountID] {
        try AccountID.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT account FROM attempts INDEXED BY attemptsOpen
                    WHERE rule = ? AND state IN ('receiving', 'checking', 'waiting')
                    """), arguments: [rule])
    }

    /// Nil for what a later release has written.
    private init?(_ row: NamedRow) {
        guard let terms = RuleTerms(row) else { return nil }
        self.init(
            id: row["sequence"], version: row["version"], terms: terms, made: Accounts.date(row["made"]),
            attempts: row["tried"])
    }
}

extension RuleTerms {
    /// Nil for what a later release has written.
    init?(_ row: NamedRow) {
        guard let measure = Measure(rawValue: row["measure"]), let unit = ScoreUnit(rawValue: row["unit"]),
            let better = Better(rawValue: row["better"]), let place = PlaceRule(rawValue: row["place"])
        else { return nil }
        self.init(
            measure: measure, unit: unit, better: better, decimals: row["decimals"], low: row["low"], high: row["high"])
        step = row["step"]
        needs = Evidence.set(row["needs"])
        invalid = row["invalid"]
        self.place = place
        if let begins: Int64 = row["begins"], let ends: Int64 = row["ends"] {
            event = Event(begins: Accounts.date(begins), ends: Accounts.date(ends), grace: row["grace"])
        }
    }

    /// Writes down a version.
    func write(of challenge: HubID, version: Int, setter: AccountID, at now: Date, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO rules (challenge, version, setter, measure, unit, better, decimals, step, low, high, needs, invalid,
                    place, begins, ends, grace, made)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            challenge.text, version, setter, measure.rawValue, unit.rawValue, better.rawValue, decimals, step, low,
            high, Evidence.text(needs), invalid, place.rawValue, event.map { Accounts.milliseconds($0.begins) },
            event.map { Accounts.milliseconds($0.ends) }, event?.grace ?? 0, Accounts.milliseconds(now),
        ])
    }
}

extension RuleTerms.Evidence {
    /// As tables have several of them.
    static func text(_ kinds: Set<Self>) -> String { kinds.map(\.rawValue).sorted().joined(separator: " ") }

    /// What a later release has added is left out.
    static func set(_ text: String) -> Set<Self> {
        Set(text.split(separator: " ").compactMap { Self(rawValue: String($0)) })
    }
}
