/// A currency by its code, with the number of decimals of its smallest unit (ISO 4217:2015, list one, active currencies of
/// countries; funds, metals and test codes are none).
package struct Currency: Hashable, Sendable, CustomStringConvertible {
    /// Three capital letters.
    package let code: String
    /// Decimals of an amount in whole units: 2 for EUR, 0 for JPY, 3 for KWD.
    package let exponent: Int
    package var description: String { code }

    /// Nil for what is no currency. Small letters are understood: payment services write them.
    package init?(_ code: some StringProtocol) {
        guard code.utf8.count == 3 else { return nil }
        let capital = code.uppercased()
        guard Self.codes.contains(capital) else { return nil }
        self.code = capital
        exponent = Self.exponents[capital] ?? 2
    }

    private static let exponents: [String: Int] = {
        var exponents: [String: Int] = [:]
        for (exponent, codes) in [
            (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"), (3, "BHD IQD JOD KWD LYD OMR TND"),
        ] {
            for code in codes.split(separator: " ") { exponents[String(code)] = exponent }
        }
        return exponents
    }()

    private static let codes = Set(
        """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY \
        COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR \
        ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK \
        MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF \
        SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU \
        UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW
        """.split(separator: " ").map(String.init))
}
