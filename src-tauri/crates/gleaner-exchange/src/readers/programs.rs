//! The programs whose databases can be read.

use super::{
    Articles, ImportError, ReaderData,
    database::{self, Form},
    freshrss, gpodder, liferea, netnewswire, newsboat, quiterss, rssguard,
};
use std::path::Path;

const FORMS: [&Form; 7] = [
    &liferea::FORM,
    &newsboat::FORM,
    &rssguard::FORM,
    &quiterss::FORM,
    &netnewswire::FORM,
    &gpodder::FORM,
    &freshrss::FORM,
];

/// Recognises a program's database and reads its feeds.
pub(super) async fn open(path: &Path) -> Result<ReaderData, ImportError> {
    let mut database = database::connect(path, &FORMS).await?;
    let (mut data, query) = match database.program {
        liferea::NAME => liferea::open(&mut database).await?,
        newsboat::NAME => newsboat::open(&mut database).await?,
        rssguard::NAME => rssguard::open(&mut database).await?,
        quiterss::NAME => quiterss::open(&mut database).await?,
        netnewswire::NAME => netnewswire::open(&mut database).await?,
        gpodder::NAME => gpodder::open(&mut database).await?,
        _ => freshrss::open(&mut database).await?,
    };
    data.articles = Articles::Database(Box::new(database), query);
    Ok(data)
}
