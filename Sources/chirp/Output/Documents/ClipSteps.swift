/// The steps of making a clip and their shares of the time, from profiles of 140 s of speech: encoding is nearly all, and what it made is verified meanwhile.
enum ClipSteps {
    static let making = [
        ProgressView.Step(name: "analyse", weight: 0.1),
        ProgressView.Step(name: "render", weight: 0.88),
        ProgressView.Step(name: "verify", weight: 0.02),
    ]
    static let publishing =
        making + [
            ProgressView.Step(name: "upload", weight: 0.1),
            ProgressView.Step(name: "post", weight: 0.02),
        ]
}
