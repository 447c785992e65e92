extension Wording {
    static let english = Wording(
        language: "en",
        kinds: kinds(
            """
            pets | cat, tomcat, kitty, little cat | | white paws = four white socks = her feet are white; a torn ear = nick in the left ear = one ear has a notch; blue collar with a bell = wears a blue neckband, it jingles; very shy = timid, runs off when you come close; long fur = long-haired and fluffy; answers to {name} = is called {name} = the tag says {name}; is chipped = has a microchip; tip of the tail is white = white end on the tail; green eyes = bright green eyes; limps a little = does not use a hind leg properly; tabby stripes = striped like a tiger
            pets | dog, mongrel, terrier, puppy | | answers to {name} = his name is {name} = reacts when you say {name}; red harness = wears a harness in red; floppy ears = hanging ears; one blue eye = eyes of different colours; white spot on the chest = white bib; docked tail = short tail; friendly with children = lets everybody stroke him; grey muzzle = old, already grey around the nose; curly coat = woolly curls; dog tag number {number} = tag on the collar with {number}; wears no collar = without collar
            pets, other | budgerigar, parakeet, budgie, little parrot | | yellow head = head is yellow; ring on the leg = foot ring with number {number} = ringed, {number}; says hello = talks, it can say a few words; a bald patch on the breast = some feathers missing in front; tame, comes on your finger = sits down on hands; whistles all day = sings a lot
            phones, other | mobile phone, phone, smartphone, mobile, cell phone | Samsung, iPhone, Nokia, Huawei, Xiaomi, Fairphone, Pixel | cracked screen = the display is broken = glass has a crack in the corner; sticker of a cat on the back = cat sticker; leather case = in a flip cover of leather; a child on the lock screen = picture of a small boy as background; scratched on the edge = scuffed corners; silicone cover with flowers = flowery rubber case; a train ticket behind the cover = there is a ticket in the case; battery is empty = it does not switch on; strap to hang around the neck = with a cord for the neck
            phones, other, bags | headphones, earphones, headset, earbuds | Sony, Bose, JBL, Sennheiser, AirPods | only the left one = one ear piece is missing; charging case with initials {initials} = the box has {initials} written on it; cable was mended with tape = tape round the cord; cushion is torn = padding comes off; in a small zip bag = inside a little pouch; name {name} engraved = has {name} on it
            phones, bags, other | laptop, notebook, computer, tablet | Lenovo, Dell, MacBook, HP, Asus, Acer | stickers on the lid = cover full of stickers; a key is missing on the keyboard = one letter of the keyboard is gone; in a felt sleeve = wrapped in a grey felt cover; property label {number} = inventory number {number}; with charger = power supply was with it; crack at the hinge = the hinge is broken
            keys | keys, bunch of keys, key ring, set of keys, door keys | Abus, Yale, Chubb | a green carabiner = hanging on a snap hook, green; small torch on it = with a mini flashlight; bottle opener = an opener for beer bottles is on it; {number} is stamped on one = number {number} on the biggest; five keys = 5 keys in all; red lanyard = on a red neck strap; a plush bear as pendant = little furry bear hangs from it; one is for a bicycle lock = bike key among them; shopping trolley coin = chip for the supermarket cart; label with {name} = tag that says {name}
            keys, vehicles | car key, car keys, ignition key, remote key | Volkswagen, Toyota, Ford, Opel, BMW, Peugeot | leather tag from the garage = dealer's tag in leather; with house key on it = a front door key is on the same ring; rubber buttons worn off = you can no longer read the buttons; blue ribbon = tied to a ribbon, blue; fob with {initials} = {initials} on the fob
            wallets, documents | wallet, purse, billfold, pocketbook | Fossil, Esprit, Levi's, Guess, Samsonite | photo of two kids = picture of children inside; library card = card of the town library is in it; foreign coins = some coins from abroad; bank card in the name of {name} = cards say {name}; the zip is broken = zipper does not close; about 40 in cash = some banknotes; student card = university ID; embossed letters {initials} = stamped with {initials}; worn leather = old, the leather is scuffed; ticket for the bus = monthly pass inside; chain to fasten it = has a metal chain
            bags, other | rucksack, backpack, daypack, bag | Deuter, Eastpak, Nike, Adidas, Jack Wolfskin, Fjallraven | gym clothes inside = sports things are in it; strap mended with thread = one strap has been sewn; a badge with a fox = fox pin on the front; water bottle in the side pocket = flask at the side; school books = exercise books for year seven; label {name} = name tag {name}; reflective stripes = has reflectors; laptop compartment = padded pocket for a computer; torn side net = mesh at the side has a hole
            bags, clothes | handbag, shoulder bag, purse, bag | Gucci, Zara, Longchamp, Michael Kors, Mango | golden buckle = clasp in gold; lipstick and mirror inside = make-up in it; broken handle = one of the handles has come off; checked lining = lining with squares; scarf tied to it = a silk cloth around the handle; keys are still in it = with keys; initials {initials} = letters {initials} on the flap; bottle of perfume = there is perfume in it
            bags | suitcase, trolley, travel bag, case | Samsonite, Rimowa, Titan, Travelite | one wheel is missing = wheel broken off; yellow ribbon at the handle = marked with ribbon, yellow; tag of an airline = baggage label from a flight; sticker from Lisbon = souvenir sticker of Lisbon; combination lock = number lock; full of clothes for children = children's clothes inside; name tag {name} = address label {name}
            jewellery | ring, wedding ring, gold ring, band | | engraved {name} = inscription {name} = inside it says {name}; date from 19{number} inside = with a date engraved; small blue stone = tiny sapphire or blue glass; rather narrow = thin; worn down, old = looks old; two colours of gold = white and yellow gold
            jewellery | necklace, chain, pendant, locket | Pandora, Swarovski, Thomas Sabo | heart shaped = a heart hangs on it; photo of an old lady inside = can be opened, there is a picture; broken clasp = the catch is broken; cross = pendant is a cross; letters {initials} = initial {initials}; pearls = string of little pearls
            jewellery, phones, other | watch, wristwatch, wrist watch, smartwatch | Casio, Swatch, Fossil, Seiko, Garmin, Omega, Timex | leather strap is cracked = strap made of leather, worn; scratched glass = the crystal has scratches; engraving on the back, {name} = on the back is {name}; stopped at ten past four = does not run; metal bracelet = steel band; second hand missing = no hand for the seconds; present from my grandfather = an old model
            glasses, clothes | glasses, spectacles, reading glasses, pair of glasses | Ray-Ban, Fielmann, Rodenstock, Oakley, Boss | round lenses = lenses are round; hard case = in a hard shell case; one arm is bent = crooked on the left side; horn-rimmed = thick plastic frame; mended with glue = glued at the bridge; cleaning cloth from an optician = there is a cloth with it; very strong = high dioptre; metal frame, thin = wire frame
            clothes, bags | jacket, coat, anorak, raincoat, hooded jacket | Zara, North Face, Jack Wolfskin, Adidas, H&M, Columbia | fur on the hood = furry hood; a button missing = one button is gone; size {number} = label says {number}; tissues and a lip balm in the pocket = handkerchief in the pocket; name label {name} = {name} is sewn into the collar; reflective strips on the sleeves = reflectors; hole in the left sleeve = torn sleeve; knitted cuffs = woollen cuffs; two inner pockets = pockets inside
            clothes | scarf, shawl, woollen scarf, neckerchief | H&M, Burberry, Benetton | checked = with squares = tartan; hand-knitted = knitted by hand; fringe at the ends = has fringes; smells of perfume = scented; a pulled thread = one loop has come loose; very long = some two metres
            vehicles | bicycle, bike, city bike, mountain bike, e-bike | Giant, Trek, Cube, Gazelle, Raleigh, Scott, Specialized | basket in front = wicker basket on the handlebar; child seat = seat for a kid on the back; frame number {number} = number {number} on the frame; bent mudguard = fender is bent; bell in the shape of a ladybird = ladybug bell; chain lock hanging on it = lock still round the saddle post; saddle covered with a plastic bag = torn saddle; three gears = 3-speed hub; no lights = lamp broken off; stickers from a festival = festival sticker on the frame
            vehicles, toys | scooter, kick scooter, kids' scooter, push scooter | Micro, Hudora, Oxelo | glittering streamers on the handle = ribbons at the handlebar; wheels light up = flashing wheels; name {name} in felt pen = {name} is written on it; one grip missing = handle without rubber; sticker of a unicorn = unicorn sticker
            documents, wallets | passport, identity card, ID card, ID | | in the name of {name} = name is {name}; in a plastic sleeve = with a clear cover; expired = no longer valid; visa inside = has a visa; issued in 20{number} = date of issue 20{number}
            documents, bags | folder, ring binder, file, document case | Leitz, Elba | sheet music = music inside; medical papers = letters from a doctor; drawings of a house = plans, architect's drawings; label {name} = {name} on the spine; tax papers = receipts and bills; certificate = school reports
            toys | teddy bear, cuddly toy, soft toy, stuffed animal | Steiff, Ikea, Jellycat | one eye is missing = has only one eye; wears a jumper = with a small knitted pullover; called {name} = my child calls it {name} = {name} is on the label; well loved, patched = patch on the belly; long floppy ears = rabbit ears; plays a tune when you pull = musical box inside; sewn paw = paw was mended
            toys, other | doll, baby doll, rag doll | Zapf, Barbie, Corolle | hair cut short = somebody has cut the hair; flowery dress = dress with flowers; one shoe = lost a shoe; closes its eyes = sleeping eyes; name {name} on the foot = {name} written under the foot
            instruments | violin, fiddle, viola, violin case | Yamaha, Stentor, Gewa | bow with a mended frog = bow was repaired; rosin and a pencil in the case = there is rosin in the box; scratch next to the chin rest = scratched near the chin; label inside, {name} = note inside says {name}; three quarter size = for a child, 3/4; sheet music of Bach = notes in the case
            instruments, other | flute, recorder, clarinet, trumpet | Yamaha, Moeck, Bach, Jupiter | in a brown case = case in brown; dent at the bell = dented; cleaning rod = with a cleaning rod; engraved {initials} = {initials} engraved; cork is loose = joint does not hold; name tag {name} = belongs to {name}
            other, clothes | umbrella, brolly, parasol | Knirps, Fulton, Totes | wooden handle = handle made of wood; one rib is bent = broken spoke; polka dots = dotted; folding = a small pocket one; advert of a bank on it = printed with the name of a bank; lettering {initials} = {initials} on the handle
            other, phones | hearing aid, hearing device, ear piece | Phonak, Oticon, Widex | left side, blue mark = marked blue; in a small round box = there is a box with batteries; serial {number} = number {number}; with ear mould = moulded piece
            other, documents | book, library book, notebook, diary | Moleskine, Penguin | dedication from {name} = written in by {name}; bookmark with tassels = a bookmark with a tassel; notes in pencil = somebody wrote in it; stamp of the library = library stamp; coffee stains = stained with coffee; dog-eared = creased pages
            """),
        colours: wordings(
            """
            black = dark = jet black
            blue = dark blue = navy
            light blue = sky blue = pale blue
            grey = gray = silver
            brown = dark brown = chestnut
            tan = cognac = light brown
            red = dark red = burgundy
            beige = cream = sand-coloured
            green = olive = khaki
            dark green = bottle green = green
            white = off-white = whitish
            pink = rose = light pink
            purple = violet = lilac
            yellow = mustard = bright yellow
            orange = ginger = rust
            turquoise = teal = blue-green
            black and white = black-white
            multicoloured = colourful = many colours
            """),
        spots: wordings(
            """
            at the station = at the railway station = on platform 2 = at the train station
            on the bus = on line {number} = in the bus towards the centre = at the bus stop
            in the park = in the gardens = on a bench in the park = near the pond
            at the supermarket = in the shop = in front of the grocery store = at the checkout
            at the playground = near the swings = by the sandpit
            on the beach = at the lake = by the water
            outside the school = near the kindergarten = in the schoolyard
            in a café = in the restaurant on the square = at the pub = in a bar
            at the swimming pool = in the baths = in the changing room
            at the church = in front of the cathedral = near the churchyard
            in the library = at the reading room = near the town library
            on the bridge = by the river = on the embankment
            on the cycle path = along the canal = at the side of the road
            in the car park = on the parking deck = at the garage
            at the hospital = in a waiting room = at the doctor's
            in the gym = at the sports ground = after football practice
            at the market = on the market square = at the flea market
            in the woods = on a forest path = on a walk through the forest
            in the cinema = in the theatre = at the concert
            at the petrol station = at the service area
            """),
        times: sentences(
            """
            yesterday
            yesterday evening
            this morning
            on Monday
            on Saturday night
            last weekend
            around noon
            two days ago
            on Thursday afternoon
            in the early evening
            on the way to work
            after school
            """),
        lost: Sentences(
            titles: sentences(
                """
                Lost {name}
                Lost my {colour name}
                {colour name} lost
                {name} missing
                Have you seen my {name}?
                {maker} {name} lost
                Lost: {colour name} {spot}
                Who has found my {name}?
                Looking for my {name}
                """),
            openings: sentences(
                """
                I lost my {colour name} {spot} {time}.
                My {name} went missing {time}, probably {spot}.
                I must have left it {spot} {time}. It is {a colour name} ({maker}).
                We are looking for our {colour name}, last seen {spot}.
                Dropped somewhere {spot}, {time}. A {maker}, {colour}.
                Since {time} I have been missing {a colour name} from {maker}.
                It was {time} {spot} that I last had it.
                """),
            endings: sentences(
                """
                Please get in touch!
                It means a lot to me.
                There is a reward for the honest finder.
                I would be grateful for any hint.
                Thank you so much for keeping your eyes open.
                Not worth much, but I am attached to it.
                Already asked at the lost property office, nothing there.
                My daughter is very sad.
                """)),
        found: Sentences(
            titles: sentences(
                """
                Found {name}
                {colour name} found
                Found: {name} {spot}
                {maker} {name} found
                Is this your {name}?
                Whose {colour name} is this?
                {name} picked up {spot}
                Found {a colour name}
                """),
            openings: sentences(
                """
                Found {spot} {time}.
                {A colour name} was lying {spot}.
                Somebody left {a colour name} {spot}.
                I picked it up {time} {spot}. Looks like {maker}.
                My children found {a name} {spot}, {colour}.
                This {name} was {spot} {time}.
                {time} I came across {a colour name}, brand {maker}, {spot}.
                """),
            endings: sentences(
                """
                I handed it in at the lost property office.
                Tell me a detail so that I know it is yours.
                Can be collected in the evenings.
                I keep it until somebody writes.
                Owner, please write to me.
                Would be nice if it got back to where it belongs.
                Left it with the caretaker.
                I could not find any address.
                """)),
        coloured: { colour, name, _, hasArticle in
            let words = colour.isEmpty ? name.word : "\(colour) \(name.word)"
            guard hasArticle else { return words }
            // Many are there in pairs or bunches.
            if name.word.hasSuffix("s"), !name.word.hasPrefix("pair") { return "some \(words)" }
            return "aeiou".contains(words.first ?? "x") ? "an \(words)" : "a \(words)"
        })
}
