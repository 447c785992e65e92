package import ChirpClips

extension Receipt {
    /// As a line of a batch, with the places that the user knows.
    package func ofBatch(_ order: BatchOrder, output: BatchPath) -> Receipt {
        var receipt = self
        receipt.clip?.path = "\(order.target)/\(output.text)"
        return receipt
    }
}
