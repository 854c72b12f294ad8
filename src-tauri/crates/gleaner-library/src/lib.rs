//! gleaner-library
