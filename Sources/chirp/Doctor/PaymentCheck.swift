import ChirpHub

/// Whether what is sold can be paid as the configuration says. Nobody is asked.
enum PaymentCheck {
    static func findings(_ wiring: Wiring) -> [Finding] {
        guard wiring.session.config.hubPayments.value == "stripe" else { return [] }
        do throws(HubError) {
            _ = try wiring.payments()
            return [.ok("payments", "by Stripe for what the owner sells, by hand for others")]
        } catch {
            return [.problem("payments", error.whatHappened, cure: error.whatToDo)]
        }
    }
}
