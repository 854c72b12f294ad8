//! gleaner-contract
