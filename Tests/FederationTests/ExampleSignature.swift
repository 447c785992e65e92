import ChirpFederation
import ChirpHTTP

/// A signature of RFC 9421: what is signed, by which key, and the fields that say so.
struct ExampleSignature: Sendable, CustomStringConvertible {
    enum Message: Sendable {
        case request
        case response
        case proxied
        case transformed
        case forwarded
    }

    let section: String
    let message: Message
    let key: String
    let label: String
    let input: String
    let signature: String

    var description: String { section }

    /// The message with the signature's fields.
    var signed: SignedMessage {
        var message = message.message
        message.append("\(label)=\(input)", for: "Signature-Input")
        message.append("\(label)=:\(signature):", for: "Signature")
        return self.message.message(message)
    }

    static let all = [
        ExampleSignature(
            section: "B.2.1", message: .request, key: "test-key-rsa-pss", label: "sig-b21",
            input: "();created=1618884473;keyid=\"test-key-rsa-pss\";nonce=\"b3k2pp5k7z-50gnwp.yemd\"",
            signature: "d2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf"
                + "8Udx7zFZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2Vj"
                + "BqJzsPLMIQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAn"
                + "LH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q=="),
        ExampleSignature(
            section: "B.2.2", message: .request, key: "test-key-rsa-pss", label: "sig-b22",
            input: "(\"@authority\" \"content-digest\" \"@query-param\";name=\"Pet\");created=1618884473;keyid=\"test-k"
                + "ey-rsa-pss\";tag=\"header-example\"",
            signature: "LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfKtjvuJyE5q"
                + "H7KT8UCMkSowOB4+ECxCmT8rtAmj/0PIXxi0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuEfY17SARYh"
                + "pTlaqwZVtR8NV7+4UKkjqpcAoFqWFQh62s7Cl+H2fjBSpqfZUJcsIk4N6wiKYd4je2U/lankenQ99PZfB4jY3I5rSV"
                + "2DSBVkSFsURIjYErOs0tFTQosMTAoxk//0RoKUqiYY8Bh0aaUEb0rQl3/XaVe4bXTugEjHSw=="),
        ExampleSignature(
            section: "B.2.3", message: .request, key: "test-key-rsa-pss", label: "sig-b23",
            input:
                "(\"date\" \"@method\" \"@path\" \"@query\" \"@authority\" \"content-type\" \"content-digest\" \"content-l"
                + "ength\");created=1618884473;keyid=\"test-key-rsa-pss\"",
            signature: "bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRR"
                + "U5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFk"
                + "h/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZ"
                + "H896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA=="),
        ExampleSignature(
            section: "B.2.4", message: .response, key: "test-key-ecc-p256", label: "sig-b24",
            input: "(\"@status\" \"content-type\" \"content-digest\" \"content-length\");created=1618884473;keyid=\"tes"
                + "t-key-ecc-p256\"",
            signature: "wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw=="),
        ExampleSignature(
            section: "B.2.5", message: .request, key: "test-shared-secret", label: "sig-b25",
            input: "(\"date\" \"@authority\" \"content-type\");created=1618884473;keyid=\"test-shared-secret\"",
            signature: "pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8="),
        ExampleSignature(
            section: "B.2.6", message: .request, key: "test-key-ed25519", label: "sig-b26",
            input:
                "(\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\");created=1618884473"
                + ";keyid=\"test-key-ed25519\"",
            signature: "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="),
        ExampleSignature(
            section: "B.3", message: .proxied, key: "test-key-ecc-p256", label: "ttrp",
            input:
                "(\"@path\" \"@query\" \"@method\" \"@authority\" \"client-cert\");created=1618884473;keyid=\"test-key"
                + "-ecc-p256\"",
            signature: "xVMHVpawaAC/0SbHrKRs9i8I3eOs5RtTMGCWXm/9nvZzoHsIg6Mce9315T6xoklyy0yzhD9ah4JHRwMLOgmizw=="),
        ExampleSignature(
            section: "B.4", message: .transformed, key: "test-key-ed25519", label: "transform",
            input: "(\"@method\" \"@path\" \"@authority\" \"accept\");created=1618884473;keyid=\"test-key-ed25519\"",
            signature: "ZT1kooQsEHpZ0I1IjCqtQppOmIqlJPeo7DHR3SoMn0s5JZ1eRGS0A+vyYP9t/LXlh5QMFFQ6cpLt2m0pmj3NDA=="),
        ExampleSignature(
            section: "4.3", message: .forwarded, key: "test-key-rsa", label: "proxy_sig",
            input:
                "(\"@method\" \"@authority\" \"@path\" \"content-digest\" \"content-type\" \"content-length\" \"forwarde"
                + "d\");created=1618884480;keyid=\"test-key-rsa\";alg=\"rsa-v1_5-sha256\";expires=1618884540",
            signature: "S6ZzPXSdAMOPjN/6KXfXWNO/f7V6cHm7BXYUh3YD/fRad4BCaRZxP+JH+8XY1I6+8Cy+CM5g92iHgxtRPz+MjniOaY"
                + "mdkDcnL9cCpXJleXsOckpURl49GwiyUpZ10KHgOEe11sx3G2gxI8S0jnxQB+Pu68U9vVcasqOWAEObtNKKZd8tSFu7"
                + "LB5YAv0RAGhB8tmpv7sFnIm9y+7X5kXQfi8NMaZaA8i2ZHwpBdg7a6CMfwnnrtflzvZdXAsD3LH2TwevU+/PBPv0B6"
                + "NMNk93wUs/vfJvye+YuI87HU38lZHowtznbLVdp770I6VHR6WfgS9ddzirrswsE1w5o0LV/g=="),
    ]
}

extension ExampleSignature.Message {
    fileprivate var message: HTTPHeaders {
        switch self {
        case .request:
            [
                "Host": "example.com", "Date": "Tue, 20 Apr 2021 02:07:55 GMT", "Content-Type": "application/json",
                "Content-Digest":
                    "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWX"
                    + "vJwew==:",
                "Content-Length": "18",
            ]
        case .response:
            [
                "Date": "Tue, 20 Apr 2021 02:07:56 GMT", "Content-Type": "application/json",
                "Content-Digest":
                    "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5a"
                    + "GgfLQ==:",
                "Content-Length": "23",
            ]
        case .proxied:
            [
                "Host": "service.internal.example", "Date": "Tue, 20 Apr 2021 02:07:55 GMT",
                "Content-Type": "application/json", "Content-Length": "18",
                "Client-Cert":
                    ":MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVB"
                    + "AMMEkxBIEludGVybWVkaWF0ZSBDQTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJ"
                    + "DMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8Oth"
                    + "xM4+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0"
                    + "ZaSED2DAOBgNVHQ8BAf8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV4YW1wb"
                    + "GUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmi"
                    + "Z0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=:",
            ]
        case .forwarded:
            [
                "Host": "origin.host.internal.example", "Date": "Tue, 20 Apr 2021 02:07:55 GMT",
                "Content-Type": "application/json",
                "Content-Digest":
                    "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWX"
                    + "vJwew==:",
                "Content-Length": "18",
                "Forwarded": "for=192.0.2.123;host=example.com;proto=https",
            ]
        case .transformed:
            [
                "Host": "example.org", "Date": "Fri, 15 Jul 2022 14:24:55 GMT", "Accept": "application/json",
                "accept": "*/*",
            ]
        }
    }

    fileprivate func message(_ headers: HTTPHeaders) -> SignedMessage {
        switch self {
        case .request:
            SignedMessage(
                method: "POST", address: WebAddress("https://example.com/foo?param=Value&Pet=dog"), headers: headers)
        case .response: SignedMessage(method: nil, address: nil, status: 200, headers: headers)
        case .proxied:
            SignedMessage(
                method: "POST", address: WebAddress("https://service.internal.example/foo?param=Value&Pet=dog"),
                headers: headers)
        case .forwarded:
            SignedMessage(
                method: "POST", address: WebAddress("https://origin.host.internal.example/foo?param=Value&Pet=dog"),
                headers: headers)
        case .transformed:
            SignedMessage(
                method: "GET", address: WebAddress("https://example.org/demo?name1=Value1&Name2=value2"),
                headers: headers)
        }
    }
}
