import ChirpCommunity
import Testing

/// What is said in clips: read strictly, kept plain (CH-25).
@Suite struct TranscriptTests {
    @Test func `words with times keep their times and lose everything else`() throws {
        let draft = try TranscriptDraft(
            """
            \u{FEFF}WEBVTT - a title

            STYLE
            ::cue { background: url(https://evil.example/) }

            NOTE nobody needs this

            1
            00:01.000 --> 00:02.500 align:start position:0%
            <v Ann>Rain &amp; <i>wind</i>
            <c.loud>over</c> the harbour

            01:00:00.000 --> 01:00:01.000
            1 &lt; 2
            """, language: "en-GB")
        #expect(draft.isTimed)
        #expect(
            draft.text == """
                WEBVTT

                00:00:01.000 --> 00:00:02.500
                Rain &amp; wind over the harbour

                01:00:00.000 --> 01:00:01.000
                1 &lt; 2

                """)
        // What was written is read as the same.
        #expect(try TranscriptDraft(draft.text, language: "").text == draft.text)
    }

    @Test(
        arguments: [
            "WEBVTT", "WEBVTT\n\n00:02.000 --> 00:01.000\nback in time", "WEBVTT\n\n00:01 --> 00:02\nno thousandths",
            "WEBVTT\n\n00:61.000 --> 00:62.000\nx", "WEBVTT\n\n-->\nx", "WEBVTT\n\n99999999:00:00.000 --> 1\nx",
            "WEBVTT\n\n00:01.000 --> 00:02.000\n<b></b>",
        ])
    func `what begins as WebVTT and is none is refused`(text: String) {
        #expect(throws: TranscriptDraft.Refusal.notTimedText) { try TranscriptDraft(text, language: "") }
    }

    @Test func `plain words stay lines, without what is unsafe`() throws {
        let draft = try TranscriptDraft("One\r\n\u{202E}two\u{1B}[2J\n\n\n<b>three</b>", language: "de")
        #expect(!draft.isTimed && draft.text == "One\ntwo[2J\n\n<b>three</b>")
    }

    @Test func `a transcript has an end`() {
        let long = String(repeating: "a", count: TranscriptDraft.mostBytes + 1)
        #expect(throws: TranscriptDraft.Refusal.tooLong) { try TranscriptDraft(long, language: "") }
        let many = "WEBVTT\n\n" + String(repeating: "00:01.000 --> 00:02.000\nx\n\n", count: 6000)
        #expect(throws: TranscriptDraft.Refusal.notTimedText) { try TranscriptDraft(many, language: "") }
        #expect(throws: TranscriptDraft.Refusal.noLanguage) { try TranscriptDraft("x", language: "e\"n") }
    }
}
