package import ChirpClips

extension Receipt {
    /// As a line of a batch, with the places that the user knows.
    package func ofBatch(_ request: BatchRequest, output: BatchPath) -> Receipt {
        var receipt = self
        receipt.clip?.path = "\(request.target)/\(output.text)"
        return receipt
    }
}
