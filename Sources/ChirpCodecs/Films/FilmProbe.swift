internal import ChirpAudio
internal import ChirpCore

/// What a container says of itself, as `ffprobe` writes it. None of it is believed further than a bound allows.
struct FilmProbe: Decodable {
    struct Stream: Decodable {
        struct Disposition: Decodable { let attached_pic: Int? }
        struct SideData: Decodable { let rotation: Double? }

        let index: Int
        let codec_type: String?
        let codec_name: String?
        let width, height: Int?
        /// `1:1`, and `0:1` for nobody knows.
        let sample_aspect_ratio: String?
        /// `30000/1001`.
        let avg_frame_rate: String?
        let sample_rate: String?
        let channels: Int?
        let duration: String?
        let disposition: Disposition?
        let side_data_list: [SideData]?
    }

    struct Format: Decodable { let duration: String? }

    let streams: [Stream]?
    let format: Format?

    /// What `ffprobe` is asked for.
    static let entries = [
        "stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate,sample_rate,channels,duration",
        "stream_disposition=attached_pic", "stream_side_data=rotation", "format=duration",
    ].joined(separator: ":")
    /// Some hundred streams are more than any film has.
    static let mostBytes = 200_000

    /// Nil for what is no document of its kind.
    init?(_ json: [UInt8]) {
        let limits = UntrustedJSON.Limits(bytes: Self.mostBytes, depth: 16, values: 20_000)
        guard let probe = try? UntrustedJSON.decode(Self.self, from: json, limits) else { return nil }
        self = probe
    }

    /// The first stream of moving pictures that may be decoded; a cover is none.
    var picture: Stream? {
        streams?.first { stream in
            stream.codec_type == "video" && FilmRules.pictureDecoders[stream.codec_name ?? ""] != nil
                && (stream.disposition?.attached_pic ?? 0) == 0 && (stream.width ?? 0) > 0 && (stream.height ?? 0) > 0
        }
    }

    /// Whether there are moving pictures, in whatever coding.
    var hasPictures: Bool {
        streams?.contains { $0.codec_type == "video" && ($0.disposition?.attached_pic ?? 0) == 0 } ?? false
    }

    /// The first stream of sound that may be decoded.
    var sound: Stream? {
        streams?.first { stream in
            stream.codec_type == "audio" && FilmRules.soundDecoders[stream.codec_name ?? ""] != nil
                && (stream.channels ?? 0) > 0 && stream.rate > 0
        }
    }

    /// In seconds, as the container says; nil when it says nothing.
    var length: Double? {
        (format?.duration).flatMap { Double($0) }.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
}

extension FilmProbe.Stream {
    /// Whether there is anything in it, as far as that is said.
    var hasLength: Bool { duration.flatMap { Double($0) }.map { $0 > 0 } ?? false }

    /// Of the samples of sound, in Hz.
    var rate: Int { sample_rate.flatMap { Int($0) } ?? 0 }

    /// Of one picture; the largest number when it is none.
    var pixels: Int {
        let (product, overflows) = (width ?? 0).multipliedReportingOverflow(by: height ?? 0)
        return overflows ? .max : product
    }

    /// Pictures a second, as far as they are shown.
    var shownRate: Double {
        let parts = (avg_frame_rate ?? "").split(separator: "/").compactMap { Double($0) }
        guard parts.count == 2, parts[1] > 0, parts[0] > 0 else { return FilmRules.mostRate }
        return min(max(parts[0] / parts[1], 1), FilmRules.mostRate)
    }

    /// Whether each pixel is as wide as high, as far as is known.
    var isSquare: Bool { aspect == 1 }

    private var aspect: Double {
        let parts = (sample_aspect_ratio ?? "").split(separator: ":").compactMap { Double($0) }
        guard parts.count == 2, parts[1] > 0, parts[0] > 0 else { return 1 }
        return min(max(parts[0] / parts[1], 0.25), 4)
    }

    /// How large the shown copy is: upright, no larger than it was, and even.
    var shownSize: (width: Int, height: Int) {
        var (wide, high) = (Double(width ?? 2) * aspect, Double(height ?? 2))
        let turn =
            side_data_list?.compactMap(\.rotation).first.map { abs($0.truncatingRemainder(dividingBy: 180)) } ?? 0
        if (45..<135).contains(turn) { swap(&wide, &high) }
        let scale = min(
            1, Double(FilmRules.longerSide) / max(wide, high), Double(FilmRules.shorterSide) / min(wide, high))
        func even(_ length: Double) -> Int { max(2, Int(length * scale / 2) * 2) }
        return (even(wide), even(high))
    }
}
