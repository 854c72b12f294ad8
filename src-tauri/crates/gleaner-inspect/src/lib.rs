//! The inspect report (a public contract): what Gleaner makes of a feed, as one JSON document. Shown by `glean inspect`
//! and the window's feed inspector.
