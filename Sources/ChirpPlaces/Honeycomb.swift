internal import Glibc

/// Regular hexagons that cover a plane, turned and moved.
struct Honeycomb {
    /// From a hexagon's centre to its corners.
    let circumradius: Double
    /// Where the centre of one of them lies.
    let origin: (x: Double, y: Double)
    /// Against the clock, in radians.
    let turn: Double

    /// The centre of the hexagon that a point lies in. No point of a hexagon is farther from its centre than the circumradius.
    func centre(of x: Double, _ y: Double) -> (x: Double, y: Double) {
        let (c, s) = (cos(turn), sin(turn))
        let (dx, dy) = (x - origin.x, y - origin.y)
        let (u, v) = (c * dx + s * dy, c * dy - s * dx)
        // Two of three axes, 60 degrees apart; the third one is minus their sum.
        let a = (u * 3.0.squareRoot() / 3 - v / 3) / circumradius
        let b = v * 2 / 3 / circumradius
        let third = -a - b
        var (i, j) = (a.rounded(), b.rounded())
        let k = third.rounded()
        // Rounding may break the sum: the one that was rounded farthest is made from the others.
        let (errorA, errorB, errorC) = (abs(i - a), abs(j - b), abs(k - third))
        if errorA > errorB, errorA > errorC {
            i = -j - k
        } else if errorB > errorC {
            j = -i - k
        }
        let p = circumradius * 3.0.squareRoot() * (i + j / 2)
        let q = circumradius * 1.5 * j
        return (origin.x + c * p - s * q, origin.y + s * p + c * q)
    }
}
