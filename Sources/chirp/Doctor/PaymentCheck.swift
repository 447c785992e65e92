import ChirpCommands
import ChirpHub

/// Whether what is sold can be paid as the configuration says. Where sellers may connect accounts, Stripe is asked whether they can.
enum PaymentCheck {
    static func findings(_ wiring: Wiring) async -> [Finding] {
        guard wiring.session.config.hubPayments.value == "stripe" else { return [] }
        do throws(HubError) {
            guard let cards = try wiring.payments().cards, !cards.connectSigning.isEmpty else {
                return [.ok("payments", "by Stripe for what the owner sells, by hand for others")]
            }
            return [sellers(await cards.connecting(over: wiring.patientTransport()))]
        } catch {
            return [.problem("payments", error.whatHappened, cure: error.whatToDo)]
        }
    }

    private static func sellers(_ connecting: HubPayments.Cards.Connecting) -> Finding {
        switch connecting {
        case .possible: .ok("payments", "by Stripe for what the owner sells, and for others who connect an account")
        case .impossible:
            .problem(
                "payments", "sellers cannot connect accounts: the owner's account at Stripe takes no part in Connect",
                cure:
                    "Sign up for Connect at https://dashboard.stripe.com/connect, or leave out hub.stripe.connectSecretFile"
            )
        case .unknown(let reason):
            .note(
                "payments", "whether sellers can connect accounts is not known: \(reason)",
                cure: "Run chirp doctor again, and look at hub.stripe.keyFile")
        }
    }
}
