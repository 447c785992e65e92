/// Top-level domains: which words after a dot certainly make an address.
///
/// All country codes of the IANA root zone, and the generic names that are met in posts. A name that is missing here is
/// counted as if it might or might not be an address, whichever is longer, so an old list can never make a text too long.
enum DomainNames {
    static let countries = set(
        """
        ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd
        cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge
        gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki
        km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my
        mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se
        sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz
        va vc ve vg vi vn vu wf ws ye yt za zm zw
        """)

    static let generic = set(
        """
        com org net edu gov mil int info biz name pro aero coop museum mobi asia cat jobs tel travel post app dev page blog
        shop site online store tech cloud space live news media audio radio video social xyz top club life world today email
        link wiki art design studio digital agency network group team chat zone city berlin london
        """)

    static func isKnown(_ label: String) -> Bool { countries.contains(label) || generic.contains(label) }

    private static func set(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
