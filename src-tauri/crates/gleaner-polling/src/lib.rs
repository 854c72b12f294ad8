//! gleaner-polling
