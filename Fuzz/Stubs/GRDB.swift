// What the name of a job uses of GRDB, for the fuzz targets only.

public protocol DatabaseValueConvertible {}
