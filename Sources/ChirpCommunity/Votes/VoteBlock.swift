internal import ChirpCore
internal import Crypto
internal import FoundationEssentials
package import GRDB

/// Where a vote came from, as much of it as is kept: a number that is the same for two votes on one item from one block of addresses.
///
/// It is made with a key that is erased after ``life`` (HMAC, RFC 2104, with SHA-256), from the block and the item. So the numbers of two items
/// have nothing in common, and once the key has gone nobody finds out by trying which block a number was. From then on votes from that block are
/// another group.
package enum VoteBlock {
    /// For so many ms a key is used; a sweep erases those of times before.
    static let life: Int64 = 30 * 24 * 3_600_000

    /// - Parameters:
    ///   - address: of who votes, as text.
    ///   - now: in ms.
    /// - Returns: nil for what is no address of the internet: a proxy on this machine that says nothing of its visitors would make all of them
    ///   one block.
    package static func number(of address: String?, on item: HubID, at now: Int64, in database: Database) throws
        -> Int64?
    {
        guard let address, let block = block(of: address) else { return nil }
        let key = SymmetricKey(data: try key(at: now, in: database))
        let digest = HMAC<SHA256>.authenticationCode(for: Data("vote:\(item):\(block)".utf8), using: key)
        // None is 0, which stands for votes whose block is not known.
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(bitPattern: number == 0 ? 1 : number)
    }

    /// The first 24 bits of an IPv4 address, the first 48 of an IPv6 address.
    static func block(of address: String) -> AddressBlock? {
        guard !address.contains("/"), let one = AddressBlock(address) else { return nil }
        // One spelling for all that mean the same address, with the kind that it has.
        let text = one.description
        guard !own.contains(where: { $0.contains(one) }) else { return nil }
        return AddressBlock("\(text)/\(text.contains(":") ? 48 : 24)")
    }

    private static let own = ["127.0.0.0/8", "::1"].compactMap { AddressBlock($0) }

    /// The key of the present time, made with its first vote.
    private static func key(at now: Int64, in database: Database) throws -> Data {
        let period = now / life
        let known = try Data.fetchOne(
            database.cachedStatement(sql: "SELECT key FROM voteKeys WHERE period = ?"), arguments: [period])
        if let known { return known }
        let new = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        try database.cachedStatement(sql: "INSERT INTO voteKeys (period, key) VALUES (?, ?)").execute(
            arguments: [period, new])
        return new
    }

    /// Erases the keys of other times.
    static func forget(at now: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM voteKeys WHERE period <> ?").execute(arguments: [now / life])
    }
}
