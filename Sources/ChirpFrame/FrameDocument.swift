internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials

/// A frame as its screen and its caretaker are told it.
struct FrameDocument: Sendable {
    struct Person: Hashable, Sendable, Codable {
        let id, handle, name: String
    }

    let frame: FrameDevice
    /// As people call the account on its network; nil when nobody is signed in.
    let account: String?
    let vip: Person?
    /// Where the photo lies, without the site's address.
    let photo: String?
    /// The sign-in there lets it answer.
    var hasRight = true

    /// Whether whoever stands before it may answer: yes, no, or once somebody has signed in for that.
    private var answering: String {
        guard frame.style.answers, frame.step == .watch, frame.network != .x else { return "no" }
        return hasRight ? "yes" : "signin"
    }

    /// Answering was switched on, and takes a sign-in at the frame.
    var needsSignIn: Bool { answering == "signin" }

    /// Why it went back a step, for whoever stands before it.
    private var why: String? {
        switch frame.why {
        case "unfollowed": word("frame.why.unfollowed")
        case "gone": word("frame.why.gone")
        case "declined": word("frame.why.declined")
        case "server": word("frame.why.server")
        case "budget": word("frame.why.budget")
        default: nil
        }
    }

    /// - Parameter forCaretaker: with what tells frames apart.
    func write(_ json: inout JSONText, forCaretaker: Bool = false) {
        json.object { json in
            if forCaretaker {
                json.field("id", frame.id)
                json.field("name", frame.name)
                json.field("visited", frame.visited)
            }
            json.field("step", frame.step.rawValue)
            json.field("network", frame.network?.rawValue)
            json.field("account", account)
            json.field("vip") { json in
                guard let vip else { return json.value(nil as String?) }
                Self.write(vip, &json)
            }
            json.field("photo", photo)
            json.field("ownPhoto", frame.hasOwnPhoto)
            json.field("crop") { json in
                json.object { json in
                    json.field("x", seconds: frame.crop.x)
                    json.field("y", seconds: frame.crop.y)
                    json.field("zoom", seconds: frame.crop.zoom)
                }
            }
            json.field("style") { style(&$0) }
            json.field("readOnlySince", frame.created)
            json.field("paired", frame.account != nil)
            json.field("contact", frame.contact)
            json.field("seen", Int(clamping: frame.seen))
            json.field("why", why)
            json.field("answering", answering)
        }
    }

    static func write(_ person: Person, _ json: inout JSONText) {
        json.object { json in
            json.field("id", person.id)
            json.field("handle", person.handle)
            json.field("name", person.name)
        }
    }

    private func style(_ json: inout JSONText) {
        let style = frame.style
        json.object { json in
            json.field("fadeIn", style.fadeIn)
            json.field("stay", style.stay)
            json.field("fadeOut", style.fadeOut)
            json.field("gap", style.gap)
            json.field("takeYourTime", style.takeYourTime)
            json.field("dims", style.dims)
            json.field("dimFrom", style.dimFrom)
            json.field("dimTo", style.dimTo)
            json.field("spoken", style.spoken)
            json.field("quietFrom", style.quietFrom)
            json.field("quietTo", style.quietTo)
            json.field("answers", style.answers)
            json.field("rate", seconds: style.rate)
        }
    }

    /// On one line, for a stream.
    var bytes: [UInt8] {
        var json = JSONText()
        write(&json)
        return json.bytes
    }
}

/// An update as a screen is told it.
struct FrameUpdateDocument: Sendable {
    struct Clip: Hashable, Sendable {
        let seconds: Double?
        let peaks: [UInt8]
    }

    let id: Int64
    let kind: FrameUpdate.Kind
    let text: String
    let handle: String
    let name: String
    let created: Date
    let clip: Clip?
    let isShown: Bool

    /// - Parameter prefix: of the hub's paths.
    func write(_ json: inout JSONText, prefix: String) {
        json.object { json in
            json.field("id", Int(clamping: id))
            json.field("kind", kind.rawValue)
            json.field("text", text)
            json.field("author") { json in
                json.object { json in
                    json.field("handle", handle)
                    json.field("name", name)
                }
            }
            json.field("created", created)
            json.field("clip") { json in
                guard let clip else { return json.value(nil as String?) }
                json.object { json in
                    json.field("url", "\(prefix)\(FrameDesk.base)/clips/\(id)")
                    json.field("seconds", seconds: clip.seconds)
                    json.field("peaks") { json in json.array(clip.peaks) { $0.value(Int($1)) } }
                }
            }
            json.field("shown", isShown)
        }
    }
}
