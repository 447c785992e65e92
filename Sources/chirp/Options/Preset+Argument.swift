public import ArgumentParser
public import ChirpClips

extension Preset: ExpressibleByArgument {}
