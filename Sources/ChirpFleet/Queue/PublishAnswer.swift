/// What the queue says to a message that was published.
struct PublishAnswer: Decodable {
    var error: JetStream.Refusal?
    /// Its id is one of the last two minutes.
    var duplicate: Bool?
}
