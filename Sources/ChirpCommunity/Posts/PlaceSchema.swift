internal import ChirpDatabase

/// Where posts stood in the feed before they were shown, as steps.
enum PlaceSchema {
    static let steps = [
        SchemaStep(
            "places-001",
            """
            -- A post that waited for a look is placed anew when it is shown; its author's programs know it by the place it had.
            CREATE TABLE formerPlaces (
                place INTEGER PRIMARY KEY,
                post  INTEGER NOT NULL REFERENCES posts (sequence) ON DELETE CASCADE ON UPDATE CASCADE
            ) STRICT;
            CREATE INDEX formerPlacesByPost ON formerPlaces (post);
            """)
    ]
}
