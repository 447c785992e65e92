extension Wording {
    static let german = Wording(
        language: "de",
        kinds: kinds(
            """
            pets | f:Katze, m:Kater, n:Kätzchen, f:Mieze | | weiße Pfoten = die Pfoten sind weiß = vier weiße Söckchen; eingerissenes Ohr = am linken Ohr fehlt ein Stück = Kerbe im Ohr; blaues Halsband mit Glöckchen = trägt ein Band um den Hals, es klingelt; sehr scheu = ängstlich, läuft gleich weg; langes Fell = langhaarig und flauschig; hört auf {name} = heißt {name} = auf der Marke steht {name}; ist gechippt = hat einen Mikrochip; weiße Schwanzspitze = die Spitze vom Schwanz ist weiß; grüne Augen = auffallend grüne Augen; humpelt leicht = zieht ein Hinterbein nach; getigert = gestreift wie ein Tiger
            pets | m:Hund, m:Mischling, m:Terrier, m:Welpe, f:Hündin | | hört auf {name} = sein Name ist {name} = reagiert auf {name}; rotes Geschirr = trägt ein Brustgeschirr, rot; Schlappohren = hängende Ohren; ein blaues Auge = verschiedenfarbige Augen; weißer Fleck auf der Brust = weiße Brust; kurzer Schwanz = kupierte Rute; kinderlieb = lässt sich von allen streicheln; graue Schnauze = schon alt, um die Nase grau; lockiges Fell = wollige Locken; Steuermarke {number} = Marke mit der Nummer {number}; ohne Halsband = trägt kein Halsband
            pets, other | m:Wellensittich, m:Sittich, m:Papagei, m:Vogel | | gelber Kopf = der Kopf ist gelb; Ring am Bein = Fußring mit der Nummer {number} = beringt, {number}; sagt hallo = spricht, kann ein paar Wörter; kahle Stelle an der Brust = vorne fehlen Federn; zahm, kommt auf den Finger = setzt sich auf die Hand; pfeift den ganzen Tag = singt viel
            phones, other | n:Handy, n:Smartphone, n:Telefon, n:Mobiltelefon | Samsung, iPhone, Nokia, Huawei, Xiaomi, Fairphone, Pixel | gesprungenes Display = der Bildschirm ist kaputt = Glas mit Riss in der Ecke; Katzenaufkleber hinten = auf der Rückseite klebt eine Katze; Lederhülle = in einer Klapphülle aus Leder; Kind auf dem Sperrbildschirm = Bild von einem kleinen Jungen als Hintergrund; Kratzer am Rand = Ecken verschrammt; Silikonhülle mit Blumen = geblümte Gummihülle; Fahrkarte hinter der Hülle = in der Hülle steckt ein Ticket; Akku leer = geht nicht mehr an; Band zum Umhängen = mit Kordel für den Hals
            phones, other, bags | p:Kopfhörer, p:Ohrhörer, n:Headset, p:Ohrstöpsel | Sony, Bose, JBL, Sennheiser, AirPods | nur der linke = ein Hörer fehlt; Ladebox mit den Buchstaben {initials} = auf der Ladeschale steht {initials}; Kabel mit Klebeband geflickt = Klebeband um das Kabel; Polster eingerissen = die Polsterung löst sich; in einem kleinen Täschchen = in einem Beutel mit Reißverschluss; Gravur {name} = es steht {name} darauf
            phones, bags, other | m:Laptop, n:Notebook, m:Rechner, n:Tablet | Lenovo, Dell, MacBook, HP, Asus, Acer | Aufkleber auf dem Deckel = Deckel voller Sticker; eine Taste fehlt = auf der Tastatur fehlt ein Buchstabe; in einer Filzhülle = in grauen Filz eingepackt; Inventarnummer {number} = Etikett mit {number}; mit Ladegerät = Netzteil war dabei; Riss am Scharnier = das Scharnier ist gebrochen
            keys | m:Schlüsselbund, p:Schlüssel, p:Haustürschlüssel, m:Wohnungsschlüssel | Abus, Winkhaus, Zeiss Ikon | grüner Karabiner = hängt an einem Karabinerhaken, grün; kleine Taschenlampe dran = mit Minilampe; Flaschenöffner = ein Öffner für Bierflaschen; {number} eingestanzt = Nummer {number} auf dem größten; fünf Stück = 5 Schlüssel insgesamt; rotes Schlüsselband = an einem roten Band; Plüschbär als Anhänger = ein kleiner Bär aus Plüsch hängt daran; Fahrradschlüssel dabei = einer ist für ein Fahrradschloss; Einkaufswagenchip = Chip für den Einkaufswagen; Schildchen {name} = Anhänger mit {name}
            keys, vehicles | m:Autoschlüssel, m:Zündschlüssel, m:Funkschlüssel, m:Schlüssel | Volkswagen, Toyota, Ford, Opel, BMW, Peugeot | Lederanhänger vom Autohaus = Anhänger aus Leder, vom Händler; Hausschlüssel hängt mit dran = am selben Ring ist ein Haustürschlüssel; Tasten abgegriffen = die Tasten kann man nicht mehr lesen; blaues Band = an einem Bändchen, blau; Anhänger mit {initials} = {initials} auf dem Anhänger
            wallets, documents | m:Geldbeutel, f:Geldbörse, n:Portemonnaie, f:Brieftasche | Fossil, Esprit, Levi's, Guess, Picard | Foto von zwei Kindern = Kinderbild steckt drin; Büchereiausweis = Ausweis der Stadtbibliothek; ausländische Münzen = Münzen aus dem Ausland; Bankkarte auf den Namen {name} = Karten von {name}; Reißverschluss kaputt = der Reißverschluss schließt nicht; ungefähr 40 Euro = ein paar Scheine; Studentenausweis = Ausweis der Universität; eingeprägt {initials} = Prägung {initials}; abgegriffenes Leder = alt, das Leder ist abgewetzt; Monatskarte = Busfahrkarte drin; mit Kette = hat eine Metallkette
            bags, other | m:Rucksack, m:Tagesrucksack, f:Tasche, m:Schulranzen | Deuter, Eastpak, Nike, Adidas, Jack Wolfskin, Fjällräven | Sportsachen drin = Turnzeug ist darin; Träger genäht = ein Riemen ist geflickt; Anstecker mit Fuchs = vorne ein Fuchs als Button; Trinkflasche in der Seitentasche = an der Seite eine Flasche; Schulbücher = Hefte der siebten Klasse; Etikett {name} = Namensschild {name}; Reflektorstreifen = mit Reflektoren; Fach für den Laptop = gepolstertes Computerfach; Seitennetz kaputt = das Netz an der Seite hat ein Loch
            bags, clothes | f:Handtasche, f:Umhängetasche, f:Tasche, f:Schultertasche | Gucci, Zara, Longchamp, Michael Kors, Mango | goldene Schnalle = Verschluss in Gold; Lippenstift und Spiegel = Schminke drin; Henkel gerissen = einer der Griffe ist ab; kariertes Futter = innen Karos; Tuch drumgebunden = ein Seidentuch am Griff; Schlüssel noch drin = mit Schlüsseln; Initialen {initials} = Buchstaben {initials} auf der Klappe; Fläschchen Parfüm = es ist Parfüm darin
            bags | m:Koffer, m:Rollkoffer, f:Reisetasche, m:Trolley | Samsonite, Rimowa, Titan, Travelite | eine Rolle fehlt = Rad abgebrochen; gelbe Schleife am Griff = mit Band markiert, gelb; Anhänger einer Fluglinie = Gepäckzettel vom Flug; Aufkleber aus Lissabon = Sticker von Lissabon; Zahlenschloss = Schloss mit Zahlen; voller Kindersachen = Kinderkleidung drin; Namensschild {name} = Adressanhänger {name}
            jewellery | m:Ring, m:Ehering, m:Goldring, m:Trauring | | Gravur {name} = eingraviert {name} = innen steht {name}; Datum von 19{number} = mit einem Datum graviert; kleiner blauer Stein = winziger Saphir oder blaues Glas; eher schmal = dünn; abgetragen = sieht alt aus; zweifarbig = Weißgold und Gelbgold
            jewellery | f:Kette, f:Halskette, m:Anhänger, n:Medaillon | Pandora, Swarovski, Thomas Sabo | Herzform = ein Herz hängt dran; Foto einer alten Dame = lässt sich öffnen, ein Bild ist drin; Verschluss kaputt = der Karabiner ist kaputt; Kreuz = mit einem kleinen Kreuz; Buchstaben {initials} = Initialen {initials}; Perlen = kleine Perlenkette
            jewellery, phones, other | f:Uhr, f:Armbanduhr, f:Damenuhr, f:Smartwatch | Casio, Swatch, Fossil, Seiko, Garmin, Omega, Junghans | Lederarmband rissig = Band aus Leder, abgenutzt; Glas verkratzt = Kratzer im Uhrglas; hinten graviert {name} = auf der Rückseite {name}; stehen geblieben = läuft nicht; Metallarmband = Stahlband; Sekundenzeiger fehlt = ohne Zeiger für die Sekunden; vom Großvater = ein altes Modell
            glasses, clothes | f:Brille, f:Lesebrille, f:Sonnenbrille, n:Brillengestell | Ray-Ban, Fielmann, Rodenstock, Oakley, Boss | runde Gläser = die Gläser sind rund; Hartschalenetui = in einem harten Etui; ein Bügel verbogen = links schief; Hornbrille = dicker Rahmen aus Kunststoff; am Steg geklebt = in der Mitte mit Kleber repariert; Putztuch vom Optiker = ein Tuch liegt dabei; sehr stark = viele Dioptrien; dünner Metallrahmen = Drahtgestell
            clothes, bags | f:Jacke, m:Mantel, m:Anorak, f:Regenjacke, f:Winterjacke | Zara, North Face, Jack Wolfskin, Adidas, H&M, Columbia | Fell an der Kapuze = Pelzkragen; ein Knopf fehlt = Knopf ab; Größe {number} = auf dem Etikett steht {number}; Taschentücher und Lippenpflege = in der Tasche Taschentücher; Namensetikett {name} = {name} ist in den Kragen genäht; Reflektoren an den Ärmeln = Leuchtstreifen; Loch im linken Ärmel = Ärmel eingerissen; gestrickte Bündchen = Bündchen aus Wolle; zwei Innentaschen = innen Taschen
            clothes | m:Schal, n:Halstuch, m:Wollschal, n:Tuch | H&M, Burberry, Benetton | kariert = mit Karos = Schottenmuster; handgestrickt = selbst gestrickt; Fransen an den Enden = hat Fransen; riecht nach Parfüm = parfümiert; Faden gezogen = eine Masche ist lose; sehr lang = fast zwei Meter
            vehicles | n:Fahrrad, n:Rad, n:Damenrad, n:Mountainbike, n:E-Bike | Giant, Trek, Cube, Gazelle, Kettler, Scott, Kalkhoff | Korb vorne = Weidenkorb am Lenker; Kindersitz = Sitz für ein Kind hinten; Rahmennummer {number} = Nummer {number} am Rahmen; Schutzblech verbogen = verbogenes Blech hinten; Klingel als Marienkäfer = Marienkäferklingel; Kettenschloss hängt dran = Schloss noch um die Sattelstütze; Plastiktüte über dem Sattel = Sattel eingerissen; drei Gänge = 3-Gang-Nabe; ohne Licht = Lampe abgebrochen; Aufkleber vom Festival = Festivalsticker am Rahmen
            vehicles, toys | m:Roller, m:Tretroller, m:Kinderroller, m:Cityroller | Micro, Hudora, Puky | Glitzerbänder am Griff = Bänder am Lenker; Räder leuchten = blinkende Rollen; {name} mit Filzstift = {name} steht darauf; ein Griff fehlt = Griff ohne Gummi; Einhornaufkleber = Sticker mit Einhorn
            documents, wallets | m:Reisepass, m:Personalausweis, m:Ausweis, m:Pass | | auf den Namen {name} = lautet auf {name}; in einer Plastikhülle = mit durchsichtigem Umschlag; abgelaufen = nicht mehr gültig; Visum drin = hat ein Visum; ausgestellt 20{number} = von 20{number}
            documents, bags | m:Ordner, f:Mappe, m:Aktenordner, f:Dokumentenmappe | Leitz, Elba | Noten = Notenblätter; Arztbriefe = medizinische Unterlagen; Pläne von einem Haus = Zeichnungen vom Architekten; Rückenschild {name} = {name} auf dem Rücken; Steuerunterlagen = Belege und Rechnungen; Zeugnisse = Schulzeugnisse
            toys | m:Teddy, n:Kuscheltier, n:Stofftier, m:Teddybär | Steiff, Ikea, Sigikid | ein Auge fehlt = hat nur ein Auge; trägt einen Pulli = mit kleinem Strickpullover; heißt {name} = mein Kind nennt ihn {name} = auf dem Etikett steht {name}; abgeliebt, geflickt = Flicken am Bauch; lange Schlappohren = Hasenohren; spielt eine Melodie = Spieluhr im Bauch; genähte Pfote = die Pfote wurde geflickt
            toys, other | f:Puppe, f:Babypuppe, f:Stoffpuppe, n:Püppchen | Zapf, Barbie, Käthe Kruse | Haare abgeschnitten = jemand hat die Haare geschnitten; Blümchenkleid = Kleid mit Blumen; nur ein Schuh = ein Schuh fehlt; schließt die Augen = Schlafaugen; {name} am Fuß = unter dem Fuß steht {name}
            instruments | f:Geige, f:Violine, f:Bratsche, m:Geigenkasten | Yamaha, Stentor, Gewa | Bogen repariert = der Frosch am Bogen ist geflickt; Kolophonium und Bleistift im Kasten = im Kasten liegt Kolophonium; Kratzer neben dem Kinnhalter = am Kinnhalter verkratzt; Zettel innen, {name} = innen steht {name}; Dreiviertelgröße = Kindergeige 3/4; Noten von Bach = Bach-Noten im Kasten
            instruments, other | f:Flöte, f:Blockflöte, f:Klarinette, f:Trompete | Yamaha, Moeck, Bach, Jupiter | im braunen Kasten = Kasten ist braun; Delle am Schallbecher = verbeult; Putzstab = mit Wischerstab; Gravur {initials} = eingraviert {initials}; Kork lose = die Verbindung hält nicht; Namensschild {name} = gehört {name}
            other, clothes | m:Regenschirm, m:Schirm, m:Stockschirm, m:Taschenschirm | Knirps, Doppler, Fulton | Holzgriff = Griff aus Holz; eine Speiche verbogen = gebrochene Strebe; gepunktet = mit Punkten; zum Zusammenklappen = ganz klein faltbar; Werbung einer Bank = Aufdruck von einer Sparkasse; {initials} am Griff = Griff mit {initials}
            other, phones | n:Hörgerät, p:Hörgeräte, f:Hörhilfe | Phonak, Oticon, Widex | links, blau markiert = blaue Markierung; in runder Dose = mit Batterien in einer Dose; Seriennummer {number} = Nummer {number}; mit Ohrpassstück = mit Otoplastik
            other, documents | n:Buch, n:Notizbuch, n:Tagebuch, n:Büchereibuch | Moleskine, Leuchtturm | Widmung von {name} = Widmung, {name}; Lesezeichen mit Quaste = ein Lesezeichen mit Troddel; Notizen mit Bleistift = jemand hat hineingeschrieben; Stempel der Bücherei = Bibliotheksstempel; Kaffeeflecken = Flecken von Kaffee; Eselsohren = geknickte Seiten
            """),
        // An adjective's stem; with a star it has no endings.
        colours: wordings(
            """
            schwarz = dunkel = tiefschwarz
            blau = dunkelblau = marineblau
            hellblau = himmelblau = blau
            grau = silbern = silbergrau
            braun = dunkelbraun = kastanienbraun
            hellbraun = cognacfarben = braun
            rot = dunkelrot = weinrot
            beige* = cremefarben = sandfarben
            grün = olivgrün = khakifarben
            dunkelgrün = grün = tannengrün
            weiß = cremeweiß = hell
            rosa* = pink* = zartrosa*
            lila* = violett = fliederfarben
            gelb = senfgelb = knallgelb
            orange* = rostrot = orangefarben
            türkis* = petrol* = blaugrün
            schwarz-weiß = schwarzweiß
            bunt = mehrfarbig = farbenfroh
            """),
        spots: wordings(
            """
            am Bahnhof = am Hauptbahnhof = auf Gleis 2 = in der S-Bahn
            im Bus = in der Linie {number} = im Bus Richtung Innenstadt = an der Bushaltestelle
            im Park = im Stadtgarten = auf einer Parkbank = am Teich
            im Supermarkt = im Laden = vor dem Discounter = an der Kasse
            auf dem Spielplatz = bei der Schaukel = am Sandkasten
            am Strand = am See = am Wasser
            vor der Schule = beim Kindergarten = auf dem Schulhof
            im Café = im Restaurant am Platz = in der Kneipe = in einer Bar
            im Schwimmbad = im Freibad = in der Umkleide
            an der Kirche = vor dem Dom = beim Friedhof
            in der Bücherei = im Lesesaal = bei der Stadtbibliothek
            auf der Brücke = am Fluss = am Ufer
            auf dem Radweg = am Kanal = am Straßenrand
            auf dem Parkplatz = im Parkhaus = in der Tiefgarage
            im Krankenhaus = im Wartezimmer = beim Arzt
            im Fitnessstudio = auf dem Sportplatz = nach dem Fußballtraining
            auf dem Markt = auf dem Marktplatz = auf dem Flohmarkt
            im Wald = auf einem Waldweg = beim Spaziergang im Wald
            im Kino = im Theater = beim Konzert
            an der Tankstelle = an der Raststätte
            """),
        times: sentences(
            """
            gestern
            gestern Abend
            heute Morgen
            am Montag
            Samstagnacht
            letztes Wochenende
            gegen Mittag
            vor zwei Tagen
            am Donnerstagnachmittag
            am frühen Abend
            auf dem Weg zur Arbeit
            nach der Schule
            """),
        lost: Sentences(
            titles: sentences(
                """
                {name} verloren
                {colour name} verloren
                {name} vermisst
                Wer hat {a colour name} gefunden?
                {maker} {name} verloren
                Verloren: {colour name} {spot}
                {name} gesucht
                Suche {name}
                """),
            openings: sentences(
                """
                Ich habe {time} {spot} {a colour name} verloren.
                {time} ist mir {name} abhandengekommen, wahrscheinlich {spot}.
                Ich muss es {time} {spot} liegen gelassen haben. Es ist {A colour name} ({maker}).
                Wir vermissen {a colour name}, zuletzt gesehen {spot}.
                Irgendwo {spot} {time}. Von {maker}, {colour}.
                Seit {time} fehlt mir {A colour name} von {maker}.
                Zuletzt hatte ich es {time} {spot}.
                """),
            endings: sentences(
                """
                Bitte melden!
                Bedeutet mir sehr viel.
                Der ehrliche Finder bekommt einen Finderlohn.
                Ich bin für jeden Hinweis dankbar.
                Vielen Dank fürs Teilen und Augenaufhalten.
                Nicht viel wert, aber ich hänge daran.
                Beim Fundbüro habe ich schon gefragt.
                Meine Tochter ist sehr traurig.
                """)),
        found: Sentences(
            titles: sentences(
                """
                {name} gefunden
                {colour name} gefunden
                Gefunden: {name} {spot}
                {maker} {name} gefunden
                Wem gehört {A colour name}?
                Wer vermisst {a colour name}?
                {name} {spot} aufgelesen
                Fundsache: {name}
                """),
            openings: sentences(
                """
                {time} {spot} gefunden.
                {A colour name} lag {spot}.
                Jemand hat {a colour name} {spot} vergessen.
                Habe ich {time} {spot} mitgenommen. Sieht nach {maker} aus.
                Meine Kinder haben {a name} {spot} gefunden, {colour}.
                {name} lag {time} {spot}.
                {time} stieß ich {spot} auf {a colour name}, Marke {maker}.
                """),
            endings: sentences(
                """
                Habe ich beim Fundbüro abgegeben.
                Bitte ein Merkmal nennen, damit ich weiß, dass es passt.
                Kann abends abgeholt werden.
                Ich bewahre es auf, bis sich jemand meldet.
                Eigentümer bitte schreiben.
                Wäre schön, wenn es zurückfindet.
                Liegt beim Hausmeister.
                Eine Adresse war nicht zu finden.
                """)),
        coloured: { colour, name, isObject, hasArticle in
            // Strong endings behind no article, mixed ones behind "ein" (m, f, n, p).
            let endings: [Character: (free: String, behind: String, article: String)] =
                isObject
                ? [
                    "m": ("en", "en", "einen "), "f": ("e", "e", "eine "), "n": ("es", "es", "ein "),
                    "p": ("e", "e", ""),
                ]
                : ["m": ("er", "er", "ein "), "f": ("e", "e", "eine "), "n": ("es", "es", "ein "), "p": ("e", "e", "")]
            let ending = endings[name.gender] ?? ("e", "e", "")
            let article = hasArticle ? ending.article : ""
            guard !colour.isEmpty else { return "\(article)\(name.word)" }
            if colour.hasSuffix("*") { return "\(article)\(colour.dropLast()) \(name.word)" }
            return "\(article)\(colour)\(hasArticle ? ending.behind : ending.free) \(name.word)"
        })
}
