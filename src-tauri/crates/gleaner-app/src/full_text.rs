//! Converts the setting for when to show the full text.

use gleaner_contract as contract;

pub(crate) fn from_library(when: gleaner_library::FullTextWhen) -> contract::FullTextWhen {
    match when {
        gleaner_library::FullTextWhen::Never => contract::FullTextWhen::Never,
        gleaner_library::FullTextWhen::Short => contract::FullTextWhen::Short,
        gleaner_library::FullTextWhen::Always => contract::FullTextWhen::Always,
    }
}

pub(crate) fn to_library(when: contract::FullTextWhen) -> gleaner_library::FullTextWhen {
    match when {
        contract::FullTextWhen::Never => gleaner_library::FullTextWhen::Never,
        contract::FullTextWhen::Short => gleaner_library::FullTextWhen::Short,
        contract::FullTextWhen::Always => gleaner_library::FullTextWhen::Always,
    }
}
