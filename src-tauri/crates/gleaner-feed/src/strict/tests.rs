//! The strict parser reads the same with and without the texts of a document.

use super::*;
use crate::base::Base;
use proptest::prelude::*;

/// Writes down all that the parser reports.
#[derive(Debug, Default, PartialEq)]
struct Record(Vec<String>);

impl Handler for Record {
    fn opened(&mut self, tree: &crate::tree::Tree, element: u32, depth: usize) {
        let element = tree.element(element);
        let attributes: Vec<_> = element.attributes().collect();
        self.0.push(format!("{depth} {:?} {} {attributes:?}", element.ns(), element.name()));
    }

    fn closed(&mut self, tree: &mut crate::tree::Tree, element: u32, depth: usize, end: crate::builder::End) {
        let complete = end != crate::builder::End::Within;
        let element = tree.element(element);
        let (name, text, html) = (element.name(), element.own_text(), element.inner_html());
        self.0.push(format!("/{depth} {name} {complete} {text:?} {html}"));
    }
}

fn new() -> Builder<Record> {
    Builder::new(Record::default(), Base::of_document(None, 1 << 20))
}

/// The content that was read, or the error.
fn record(read: Result<Builder<Record>, XmlError>) -> Result<Record, String> {
    read.map(|builder| builder.handler).map_err(|error| format!("{error:?}"))
}

fn as_it_is(text: &str) -> Result<Record, String> {
    record(read_from(text.as_bytes(), text, new()))
}

/// Reads a document without its texts and the other parts that [`Markup`] leaves out.
fn without_texts(text: &str) -> Option<Record> {
    Some(read_from(Markup::of(text)?, text, new()).ok()?.handler)
}

#[test]
fn leaves_texts_out_that_need_no_parser() {
    for text in [
        "<a>one<b/>two &lt;p&gt; &amp;amp; &#65;&#x41;&#13;\r\nthree\r</a>",
        "<a> <![CDATA[<p>one ]] two</p>]]> three <![CDATA[]]><![CDATA[]]]]></a>\n",
        "<?xml version=\"1.0\" encoding=\"latin1\"?>\r\n<!-- x <b> -->\n<a b='x>\"' c=\"'>\">x<!-- x -->x<?x x?>x</a><!--x-->",
        "<a>x\u{85}\u{fdd0}\u{10ffff}é</a>",
        "<a b=\"x\" c='' d = 'e&amp;f&#10;g'\th='i\nj' k=\"]]>\"><b/><b></b><b ></b ><b l='x'> x\r\n&lt;</b></a>",
        "<a xmlns='u' xmlns:p=\"v\" p:b=''><p:c p:d='1'><![CDATA[x]]></p:c><c xmlns='w' p:e=''>x</c><c>x</c ><d>x</d\n></a>",
        "<a><b><![CDATA[]]></b><b><![CDATA[x]]>x</b><b>x<![CDATA[x]]></b><b>x<!-- x --></b><bc>x</bc></a>",
        "<a>x</a>",
        "<a>\r\n<b>x</b>\t<b>y</b>z<b></b> <![CDATA[ x ]]> <b><![CDATA[y]]></b><b/><b ></b><b c=''>x</b></a>",
        "<a xmlns='u'><b>x</b><c xmlns='v'><b>x</b></c><b>x</b></a>",
        "<a xmlns='u'\n\txmlns:p = \"v\" xmlns:q='w' p:b='' xml:lang='x'><p:c p:d='1' q:e='2'/><c xmlns='x' b='y'><b/></c><q:b/></a>",
    ] {
        assert_eq!(without_texts(text), as_it_is(text).ok(), "{text}");
        assert!(without_texts(text).is_some(), "{text}");
    }
}

#[test]
fn leaves_everything_else_to_the_parser() {
    for text in [
        "<!DOCTYPE a [<!ENTITY b \"<c/>\">]><a>&b;</a>",
        "<?xml version=\"1.1\"?><a>x\u{85}&#1;</a>",
        "<a>x]]>x</a>",
        "<a>&nbsp;</a>",
        "<a>x & y</a>",
        "<a>&#xFFFE;</a>",
        "<a>&#x+41;</a>",
        "<a>\u{ffff}</a>",
        "<a>\u{1}</a>",
        "<a><![CDATA[\u{0}]]></a>",
        "<a b=\"<!-- x\"> -->\">x</a>",
        "<a b='' b='x'/>",
        "<a b='&'/>",
        "<a b='&nbsp;'>x</a>",
        "<a b=c>x</a>",
        "<a 'b'>x</a>",
        "<a b='c'd='e'>x</a>",
        "<a xmlns:p=''>x</a>",
        "<a xmlns:xmlns='u'/>",
        "<a xmlns='xml'/>",
        "<xml:a/>",
        "<a xmlns:='u'/>",
        "<a xmlns:p:q='u'/>",
        "<a xmlns:p='u' xmlns:p='v' xmlns:p='w' b='' b=''/>",
        "<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>",
        "<a xmlns:p='u'b='c'/>",
        "<a b='c'xmlns:p='u'/>",
        "<a b xmlns:p='u' ='c'/>",
        "<a b= xmlns:p='u' 'c'/>",
        "<a xmlns:p='u' ='c'/>",
        "<a xmlns:p=d='u'/>",
        "<a><p:b xmlns:p='u'/><p:b/></a>",
        "<a xmlns:p='u'><p:b></p.b></a>",
        "<a xmlns:p='u'><p:b:c/></a>",
        "<a p:b='c'>x</a>",
        "<p:a>x</p:a>",
        "<a b='c' / >",
        "<a/ ></a/ >",
        "<>x</>",
        "<1>x</1>",
        "<a>x</a b='c'>",
        "<a><b/></a xmlns:p='u'>",
        "<a><b>x</b></a><b>x</b>",
        "<b>x</b><b>x</b>",
        "<a>x",
        "<a>x</b>",
        "x<a/>",
        "<a/>x",
        "<a/><![CDATA[]]>",
        "<![CDATA[]]><a/>",
        "\u{feff}<a/>",
        "<a><![CDATA[x]]</a>",
    ] {
        assert_eq!(without_texts(text), None, "{text}");
        assert_eq!(record(read(text, new)), as_it_is(text), "{text}");
    }
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "<a>",
        "</a>",
        "<a>",
        "</a>",
        "<b c='1'>",
        "</b>",
        "<d/>",
        "<e f=\"",
        "<g>",
        "</g>",
        "<h i='' j='x&amp;'",
        " j='x'",
        "<p:k p:l=''>",
        "</p:k>",
        "<m xmlns:p='v' p:l=\"x\">",
        "</m>",
        "</m xmlns:p='v'>",
        "<m xmlns='' o=''>",
        "<n xmlns='u' xmlns:q = \"v\" p:o='1' q:o='2' q:r='x'/>",
        " xmlns:p='v'",
        "xmlns:p=\"w\"",
        " xml:lang='x'",
        "<q:s",
        "=",
        ":",
        ".",
        "'",
        "\"",
        ">",
        "<",
        "/",
        "x",
        "xx",
        " ",
        "\n",
        "\r",
        "\t",
        "text",
        "&lt;",
        "&amp;",
        "&#65;",
        "&#x1F600;",
        "&#0;",
        "&#",
        "&",
        ";",
        "&nbsp;",
        "<![CDATA[",
        "]]>",
        "]",
        "]]",
        "<!--",
        "-->",
        "--",
        "<?pi",
        "?>",
        "<?xml version='1.0'?>",
        "<?xml version='1.1'?>",
        "<!DOCTYPE a>",
        "é",
        "\u{feff}",
        "\u{85}",
        "\u{7}",
        "\u{fffe}",
        "xmlns='u'",
        "p:q",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reads_the_same_without_texts(pieces in prop::collection::vec(piece(), 0..24), is_inside in any::<bool>()) {
        let inner = pieces.concat();
        let text = if is_inside { format!("<r>{inner}</r>") } else { inner };
        let expected = as_it_is(&text);
        if expected.is_ok() && sections::any_is_defective(&text) {
            prop_assert!(read(&text, new).is_err());
            prop_assert_eq!(without_texts(&text), None);
            return Ok(());
        }
        prop_assert_eq!(record(read(&text, new)), expected);
        if let Some(record) = without_texts(&text) {
            prop_assert_eq!(Ok(record), as_it_is(&text));
        }
    }
}

#[test]
fn only_the_namespaces_of_one_tag_are_too_many() {
    let many = |part: &str| part.repeat(MAX_DECLARED + 1);
    for text in [
        format!("<a>{}</a>", many("&lt;math xmlns='u'&gt;")),
        format!("<a b='c'/> {}", many("xmlns='u' ")),
        format!("<a><![CDATA[{}]]></a>", many("<math xmlns=\"u\">it's")),
    ] {
        assert_eq!(too_many_namespaces(&text), None, "{}", &text[..30]);
    }
    for tag in ["<b", "<b c='>\"' d=\">'\"", "<b\n"] {
        let text = format!("<a>{tag}{}/></a>", many(" xmlns:n='>'"));
        assert_eq!(too_many_namespaces(&text), Some(3), "{tag}");
        assert_eq!(too_many_namespaces(text.trim_end_matches("/></a>")), Some(3), "{tag}");
    }
}
