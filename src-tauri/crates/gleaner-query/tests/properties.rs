//! Properties of queries: parsing never panics, and printing and parsing again gives the same query.
#![allow(clippy::unwrap_used)]

use gleaner_query::{Date, Expr, Field, Marks, Media, State, Unit, from_former, parse, words};
use proptest::prelude::*;

fn date() -> impl Strategy<Value = Date> {
    let unit = prop_oneof![Just(Unit::Week), Just(Unit::Month), Just(Unit::Year)];
    prop_oneof![
        (1900..2100).prop_map(Date::Year),
        (1900..2100, 1_u32..=12).prop_map(|(year, month)| Date::Month(year, month)),
        (0_i32..40_000).prop_map(|day| Date::Day(chrono::NaiveDate::from_num_days_from_ce_opt(700_000 + day).unwrap())),
        Just(Date::Today),
        Just(Date::Yesterday),
        (0_u32..9999, prop_oneof![Just(Unit::Day), unit.clone()]).prop_map(|(number, unit)| Date::Ago(number, unit)),
        unit.clone().prop_map(Date::This),
        unit.prop_map(Date::Last),
    ]
}

fn leaf() -> impl Strategy<Value = Expr> {
    let field = prop_oneof![
        Just(Field::Any),
        Just(Field::Title),
        Just(Field::Author),
        Just(Field::Text),
        Just(Field::Tag),
        Just(Field::Note),
        Just(Field::Url),
        Just(Field::Feed),
        Just(Field::Folder),
    ];
    let text = prop_oneof!["[a-z]{1,5}", "(OR|AND|NOT|title:x|-a)", "[a猫ไ가é\"\\\\* :()/-]{0,9}x", "\\PC{0,6}x"];
    prop_oneof![
        4 => (field, text, any::<bool>()).prop_map(|(field, text, prefix)| Expr::Text { field, text: text.trim().to_owned(), prefix }),
        1 => prop_oneof![Just("news"), Just("A / \"b\""), Just("OR"), Just("東京*")].prop_map(|category| Expr::Category(category.to_owned())),
        1 => prop_oneof![Just("de"), Just("pt-br")].prop_map(|tag| Expr::Language(tag.to_owned())),
        1 => prop_oneof![Just(State::Unread), Just(State::Read), Just(State::Starred), Just(State::Updated), Just(State::Highlighted), Just(State::Noted)].prop_map(Expr::Is),
        1 => prop_oneof![Just(Media::Audio), Just(Media::Video), Just(Media::Image), Just(Media::Enclosure)].prop_map(Expr::Has),
        1 => date().prop_map(Expr::After),
        1 => date().prop_map(Expr::Before),
        1 => date().prop_map(Expr::During),
        1 => (0_u32..2000, proptest::option::of(0_u32..2000)).prop_map(|(least, more)| Expr::Words(least, more.map(|more| least + more))),
    ]
}

fn expr() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(5, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 2..4).prop_map(Expr::and),
            proptest::collection::vec(inner.clone(), 2..4).prop_map(Expr::or),
            inner.prop_map(Expr::not),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn printing_and_parsing_gives_the_same_query(query in expr()) {
        let written = query.to_string();
        prop_assert_eq!(parse(&written), Ok(query), "{}", written);
    }

    #[test]
    fn parsing_never_panics_and_printing_is_stable(query in "([a-z]{0,4}|OR|AND|NOT |[-()\"*: «»]|title:|is:|after:|words:|https://|[0-9.<>=]{1,3}|\\PC){0,16}") {
        if let Some(converted) = from_former(&query) {
            prop_assert!(parse(&converted).is_ok());
            prop_assert_eq!(from_former(&converted), None);
        }
        match parse(&query) {
            Ok(read) => prop_assert_eq!(parse(&read.to_string()), Ok(read)),
            Err(error) => {
                prop_assert!(query.get(error.bytes.clone()).is_some() && error.bytes.start < error.bytes.end, "{}", error);
                prop_assert!(error.characters.end <= query.chars().count());
            }
        }
    }

    /// A lookup in an index of categories and their parents finds everything that an article is about.
    #[test]
    fn lookup_and_expansion_of_synonyms_agree(
        wanted in proptest::collection::vec(("[abc](/[abc]){0,2}", "[abc](/[abc]){0,2}"), 0..4),
        category in "[abc](/[abc]){0,3}",
    ) {
        let mut pairs = Vec::new();
        for (key, means) in wanted {
            if gleaner_query::Synonyms::of(pairs.clone()).may_mean(&key, &means) {
                pairs.retain(|(other, _)| *other != key);
                pairs.push((key, means));
            }
        }
        let synonyms = gleaner_query::Synonyms::of(pairs.clone());
        let own: Vec<String> = gleaner_query::category_path(&category).into_iter().map(|(key, _)| key).collect();
        let about = synonyms.all_of(std::slice::from_ref(&category));
        prop_assert!(about.contains(&synonyms.place(&category)), "{:?}", pairs);
        for asked in ["a", "b", "c", "a/b", "b/c", "a/a/c", "c/b/a"] {
            let found = synonyms.asking(asked).iter().any(|key| own.contains(key));
            prop_assert_eq!(found, about.contains(asked), "{} in {} by {:?}", asked, category, pairs);
        }
    }

    #[test]
    fn words_have_correct_ranges_and_split_again_the_same(text in "\\PC{0,40}") {
        let found = words::words(&text);
        for word in &found {
            prop_assert!(text.get(word.range.clone()).is_some());
            prop_assert!(!word.text.is_empty() && !word.text.contains(char::is_whitespace));
        }
        let mut written = String::new();
        words::write(&text, &mut written);
        let again: Vec<&str> = written.split(' ').filter(|word| !word.is_empty()).collect();
        prop_assert_eq!(again, found.iter().map(|word| word.text.as_str()).collect::<Vec<_>>());
    }

    #[test]
    fn a_text_matches_itself_and_is_marked(text in "\\PC{1,20}") {
        if let Some(phrase) = words::Phrase::of(&text, false) {
            prop_assert!(phrase.is_in(&words::words(&text)));
            let query = Expr::Text { field: Field::Any, text: text.clone(), prefix: false };
            if !text.contains("://") {
                prop_assert!(!Marks::of(&query).find(Field::Title, &text).is_empty());
            }
        }
    }
}
