/// The words of the templates. Changing one makes a new version of it in every library; what was sold keeps the old one.
enum LicenceTemplateTexts {
    static let englishLease = """
        # 1. Parties and subject
        {licensor} (the licensor) has made the recording “{work}” (the work) and holds the rights in it. {licensee} (the \
        licensee) obtains the licence “{licence}” of it with order {order} on {date} for {amount}.

        # 2. What the licensee may do
        The licensee may use the work in one new song of the licensee's own, by adding voices or instruments, by shortening \
        it and by arranging it. The licensee may publish, sell, stream and perform that song within these limits: copies sold: \
        {copies}; plays at streaming services: {streams}; time: {time}; territory: {territory}; use for profit: {profit}.

        The licensee gets these files: {files}.

        # 3. What the licensee may not do
        The licensee may not sell or pass on the work by itself, in the form it was delivered in or changed so little that it \
        is still the same; may not grant licences of it to others; and may not register it, alone or within the song, with a \
        service that would claim the work against the licensor or against others who hold a licence of it.

        # 4. Others
        The licence is not exclusive. The licensor keeps all rights in the work and may grant licences of it to others. If \
        the licensor later grants an exclusive licence, this licence stays valid as it is.

        # 5. Credit
        Credit to the maker: {credit}. Where it is required, the song names {licensor} as the producer wherever its makers \
        are named.

        # 6. The song
        The song's words and the voices in it belong to the licensee. What the work brings into the song as a composition \
        stays the licensor's. How income from performing and broadcasting rights is shared follows from this, unless both \
        agree otherwise in writing.

        # 7. The licensor's word
        The licensor says that the work is the licensor's own, that every sample in it may be used in this way, and that \
        nobody else holds rights that forbid this licence.

        # 8. When a limit is reached
        When a limit of number 2 is reached, the licensee obtains a further licence or stops publishing. Copies that were \
        sold by then are not affected.

        # 9. If the contract is broken
        If one side breaks this contract and does not put it right within 30 days after the other has asked for it in \
        writing, the other may end it. The licensor may end it for no other reason, and no price buys the licence back.

        # 10. The rest
        Money that was paid is not returned because the work is not used. Changes need writing. If a sentence here does not \
        hold, the rest does.

        This text is a template that came with the program that made this paper. It is no legal advice. Whoever sells here \
        should have it looked at and replace it by a text of their own where they need another.
        """

    static let englishExclusive = """
        # 1. Parties and subject
        {licensor} (the licensor) has made the recording “{work}” (the work) and holds the rights in it. {licensee} (the \
        licensee) obtains the exclusive licence “{licence}” of it with order {order} on {date} for {amount}.

        # 2. What the licensee may do
        The licensee alone may use the work in songs of the licensee's own, change it, and publish, sell, stream, perform \
        and broadcast these songs within these limits: copies sold: {copies}; plays at streaming services: {streams}; time: \
        {time}; territory: {territory}; use for profit: {profit}. The licensee may let others do so for the licensee, such as \
        a label or a distributor.

        The licensee gets these files: {files}.

        # 3. Nobody else
        From the day of this contract the licensor grants no further licence of the work, of any version of it or of any \
        recording that is made mainly of it, and takes all of them out of the shop. The licensor may go on showing the work \
        as an example of what the licensor makes.

        # 4. Earlier licences
        Licences that were granted before this contract stay valid as they are. Those that were granted at this place are \
        named in this paper, and the licensee knew them before paying.

        # 5. What the licensee may not do
        The licensee may not sell the work by itself as a work for others to use, and may not claim to have made it.

        # 6. Credit
        Credit to the maker: {credit}. Where it is required, songs name {licensor} as the producer wherever their makers are \
        named.

        # 7. The composition
        The licensor remains the author of the work and keeps the author's part of what societies pay for performing and \
        broadcasting it, unless both agree otherwise in writing.

        # 8. The licensor's word
        The licensor says that the work is the licensor's own, that every sample in it may be used in this way, and that \
        nobody else holds rights that forbid this licence, but for those that are named in this paper.

        # 9. If the contract is broken
        If one side breaks this contract and does not put it right within 30 days after the other has asked for it in \
        writing, the other may end it. The licensor may end it for no other reason, and no price buys the licence back.

        # 10. The rest
        Money that was paid is not returned because the work is not used. Changes need writing. If a sentence here does not \
        hold, the rest does.

        This text is a template that came with the program that made this paper. It is no legal advice. Whoever sells here \
        should have it looked at and replace it by a text of their own where they need another.
        """

    static let germanLease = """
        # 1. Parteien und Gegenstand
        {licensor} (Lizenzgeber) hat die Aufnahme „{work}“ (das Werk) geschaffen und hält die Rechte daran. {licensee} \
        (Lizenznehmer) erwirbt daran die Lizenz „{licence}“ mit der Bestellung {order} am {date} für: {amount}.

        # 2. Was erlaubt ist
        Der Lizenznehmer darf das Werk in einem neuen eigenen Lied verwenden, dazu singen oder spielen, es kürzen und \
        einrichten. Dieses Lied darf er in diesen Grenzen veröffentlichen, verkaufen, zum Abruf anbieten und aufführen: \
        verkaufte Exemplare: {copies}; Abrufe bei Streaming-Diensten: {streams}; Dauer: {time}; Gebiet: {territory}; Nutzung \
        gegen Geld: {profit}.

        Der Lizenznehmer erhält diese Dateien: {files}.

        # 3. Was nicht erlaubt ist
        Der Lizenznehmer darf das Werk nicht für sich allein verkaufen oder weitergeben, weder unverändert noch so wenig \
        verändert, dass es dasselbe bleibt. Er darf anderen keine Lizenzen daran erteilen. Er darf es weder allein noch als \
        Teil des Liedes bei einem Dienst anmelden, der daraus Ansprüche gegen den Lizenzgeber oder gegen andere \
        Lizenznehmer ableitet.

        # 4. Andere
        Die Lizenz ist nicht exklusiv. Der Lizenzgeber behält alle Rechte am Werk und darf auch anderen Lizenzen erteilen. \
        Erteilt er später eine exklusive Lizenz, so bleibt diese hier unverändert gültig.

        # 5. Nennung
        Nennung des Urhebers: {credit}. Wo sie nötig ist, nennt das Lied {licensor} als Produzenten, wo immer seine Urheber \
        genannt werden.

        # 6. Das Lied
        Text und Stimmen des Liedes gehören dem Lizenznehmer. Was das Werk als Komposition in das Lied einbringt, bleibt \
        beim Lizenzgeber. Danach werden Einnahmen aus Aufführung und Sendung geteilt, wenn nicht beide schriftlich etwas \
        anderes vereinbaren.

        # 7. Zusage des Lizenzgebers
        Der Lizenzgeber sichert zu, dass das Werk sein eigenes ist, dass jede fremde Aufnahme darin so verwendet werden darf \
        und dass niemand Rechte hält, die dieser Lizenz entgegenstehen.

        # 8. Wenn eine Grenze erreicht ist
        Ist eine Grenze aus Nummer 2 erreicht, so erwirbt der Lizenznehmer eine weitere Lizenz oder veröffentlicht nicht \
        weiter. Bis dahin verkaufte Exemplare sind davon nicht betroffen.

        # 9. Wenn der Vertrag gebrochen wird
        Bricht eine Seite diesen Vertrag und stellt es nicht binnen 30 Tagen ab, nachdem die andere sie schriftlich dazu \
        aufgefordert hat, so darf die andere ihn beenden. Aus keinem anderen Grund darf der Lizenzgeber ihn beenden, und um \
        keinen Preis kann er die Lizenz zurückkaufen.

        # 10. Übriges
        Gezahltes Geld wird nicht zurückgegeben, weil das Werk nicht verwendet wird. Änderungen bedürfen der Schriftform. Ist \
        ein Satz unwirksam, so gilt das Übrige.

        Dieser Text ist eine Vorlage, die mit dem Programm kam, das dieses Papier erstellt hat. Er ist keine Rechtsberatung. \
        Wer hier verkauft, sollte ihn prüfen lassen und durch einen eigenen ersetzen, wo ein anderer gebraucht wird.
        """

    static let germanExclusive = """
        # 1. Parteien und Gegenstand
        {licensor} (Lizenzgeber) hat die Aufnahme „{work}“ (das Werk) geschaffen und hält die Rechte daran. {licensee} \
        (Lizenznehmer) erwirbt daran die exklusive Lizenz „{licence}“ mit der Bestellung {order} am {date} für: {amount}.

        # 2. Was erlaubt ist
        Allein der Lizenznehmer darf das Werk in eigenen Liedern verwenden, es verändern und diese Lieder in diesen Grenzen \
        veröffentlichen, verkaufen, zum Abruf anbieten, aufführen und senden: verkaufte Exemplare: {copies}; Abrufe bei \
        Streaming-Diensten: {streams}; Dauer: {time}; Gebiet: {territory}; Nutzung gegen Geld: {profit}. Er darf das andere \
        für sich tun lassen, etwa ein Label oder einen Vertrieb.

        Der Lizenznehmer erhält diese Dateien: {files}.

        # 3. Niemand sonst
        Vom Tag dieses Vertrags an erteilt der Lizenzgeber keine weitere Lizenz am Werk, an einer seiner Fassungen oder an \
        einer Aufnahme, die im Wesentlichen aus ihm besteht, und nimmt sie alle aus dem Angebot. Als Beispiel seiner Arbeit \
        darf er das Werk weiter zeigen.

        # 4. Frühere Lizenzen
        Lizenzen, die vor diesem Vertrag erteilt wurden, bleiben unverändert gültig. Die hier erteilten sind in diesem Papier \
        genannt, und der Lizenznehmer kannte sie, bevor er zahlte.

        # 5. Was nicht erlaubt ist
        Der Lizenznehmer darf das Werk nicht für sich allein als Werk zur Verwendung durch andere verkaufen und nicht \
        behaupten, es geschaffen zu haben.

        # 6. Nennung
        Nennung des Urhebers: {credit}. Wo sie nötig ist, nennen Lieder {licensor} als Produzenten, wo immer ihre Urheber \
        genannt werden.

        # 7. Die Komposition
        Der Lizenzgeber bleibt Urheber des Werks und behält den Anteil des Urhebers an dem, was Gesellschaften für \
        Aufführung und Sendung zahlen, wenn nicht beide schriftlich etwas anderes vereinbaren.

        # 8. Zusage des Lizenzgebers
        Der Lizenzgeber sichert zu, dass das Werk sein eigenes ist, dass jede fremde Aufnahme darin so verwendet werden darf \
        und dass niemand Rechte hält, die dieser Lizenz entgegenstehen, außer den in diesem Papier genannten.

        # 9. Wenn der Vertrag gebrochen wird
        Bricht eine Seite diesen Vertrag und stellt es nicht binnen 30 Tagen ab, nachdem die andere sie schriftlich dazu \
        aufgefordert hat, so darf die andere ihn beenden. Aus keinem anderen Grund darf der Lizenzgeber ihn beenden, und um \
        keinen Preis kann er die Lizenz zurückkaufen.

        # 10. Übriges
        Gezahltes Geld wird nicht zurückgegeben, weil das Werk nicht verwendet wird. Änderungen bedürfen der Schriftform. Ist \
        ein Satz unwirksam, so gilt das Übrige.

        Dieser Text ist eine Vorlage, die mit dem Programm kam, das dieses Papier erstellt hat. Er ist keine Rechtsberatung. \
        Wer hier verkauft, sollte ihn prüfen lassen und durch einen eigenen ersetzen, wo ein anderer gebraucht wird.
        """
}
