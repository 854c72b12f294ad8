use super::{certain, uncertain};

#[test]
fn takes_the_first_of_two_days_in_words() {
    for text in [
        "March 27, 2024 - April 2, 2024",
        "March 27 \u{2013} April 2, 2024",
        "27 March to 2 April 2024",
        "27. März bis 2. April 2024",
        "27 mars au 2 avril 2024",
        "2024 March 27 - 2024 April 2",
        "27 March 2024 - 2 April",
        "27 March 2024, updated on April 2",
        "March 27, 2024 (updated April 2, 2024)",
        "Published 27 March 2024 | Updated 2 April 2024",
    ] {
        uncertain(text, "2024-03-27T00:00:00Z");
    }
    uncertain("Dec 30 - Jan 5, 2024", "2023-12-30T00:00:00Z");
    uncertain("Dec 30, 2023 - Jan 5, 2024", "2023-12-30T00:00:00Z");
    certain("March 27, 2024 10:00 am EST - April 2, 2024", "2024-03-27T15:00:00Z");
    // Many places where two days could meet.
    let signs = "-".repeat(100);
    uncertain(&format!("March 27 {signs} April 2, 2024"), "2024-03-27T00:00:00Z");
    uncertain(&format!("27 {signs} 2 April 2024"), "2024-04-27T00:00:00Z");
    for (text, day) in [
        ("Mon, 27-Mar-2024", "2024-03-27T00:00:00Z"),
        ("27-Mar-2024 - 02-Apr-2024", "2024-03-27T00:00:00Z"),
        ("27-28 March 2024", "2024-03-27T00:00:00Z"),
        ("do 2 mei 2024", "2024-05-02T00:00:00Z"),
    ] {
        uncertain(text, day);
    }
    // French for Tuesday.
    uncertain("mar. 2 avril 2024", "2024-04-02T00:00:00Z");
    uncertain("mar 2-avril-2024", "2024-04-02T00:00:00Z");
}

#[test]
fn parses_a_time_with_a_dot_before_the_day() {
    certain("3.42pm GMT, 27 March 2024", "2024-03-27T15:42:00Z");
    uncertain("3.42pm on Wednesday 27 March 2024", "2024-03-27T15:42:00Z");
    uncertain("15.42, 27 March 2024", "2024-03-27T15:42:00Z");
    uncertain("15.42 27.03.2024", "2024-03-27T15:42:00Z");
    uncertain("27.03.2024", "2024-03-27T00:00:00Z");
}

#[test]
fn parses_years_of_the_chinese_republic_without_its_name() {
    uncertain("113年3月27日", "2024-03-27T00:00:00Z");
    uncertain("中華民國113年3月27日 15:42", "2024-03-27T15:42:00Z");
}
