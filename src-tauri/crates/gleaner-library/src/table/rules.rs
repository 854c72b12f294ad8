//! `rules`: what the reader wants done with articles that answer a query, as they come in or all at once. They run from the top
//! down. What a query or an action of a newer Gleaner asks for is kept as it is: such a rule is `broken`, and skipped. A rule that is
//! deleted keeps its row, since it goes on being named where it did something (`rule_touches`).

use crate::{Library, LibraryError, Millis, Undoable, now, undo::Undo};
use sqlx::SqliteConnection;
use std::{fmt, str::FromStr};

/// What a rule does with an article.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Action {
    /// Marks it read.
    Read,
    /// Stars it.
    Star,
    /// Gives it this tag of the reader's.
    Tag(String),
    /// Takes it out of lists.
    Hide,
    /// Tells the reader of it as it comes in.
    Notify,
    /// Keeps it for ever.
    Keep,
    /// Has its full text fetched.
    FullText,
}

/// As rules are written in the library and on the command line: `read`, `star`, `tag:NAME`, `hide`, `notify`, `keep`, `text`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Star => "star",
            Self::Tag(name) => return write!(f, "tag:{name}"),
            Self::Hide => "hide",
            Self::Notify => "notify",
            Self::Keep => "keep",
            Self::FullText => "text",
        })
    }
}

impl FromStr for Action {
    type Err = LibraryError;

    fn from_str(text: &str) -> Result<Self, LibraryError> {
        Ok(match text {
            "read" => Self::Read,
            "star" => Self::Star,
            "hide" => Self::Hide,
            "notify" => Self::Notify,
            "keep" => Self::Keep,
            "text" => Self::FullText,
            other => match other.strip_prefix("tag:").map(str::trim) {
                Some("") => return Err(LibraryError::Invalid("a tag needs a name: `tag:NAME`".to_owned())),
                Some(name) => Self::Tag(name.to_owned()),
                None => {
                    let known = "`read`, `star`, `tag:NAME`, `hide`, `notify`, `keep` and `text`";
                    return Err(LibraryError::Invalid(format!("no rule can do `{other}`: there are {known}")));
                }
            },
        })
    }
}

/// As they are kept.
pub(crate) fn written(actions: &[Action]) -> Result<String, LibraryError> {
    let actions: Vec<String> = actions.iter().map(Action::to_string).collect();
    serde_json::to_string(&actions).map_err(|error| LibraryError::Invalid(error.to_string()))
}

fn read(actions: &str) -> Result<Vec<Action>, LibraryError> {
    let actions: Vec<String> =
        serde_json::from_str(actions).map_err(|error| LibraryError::Invalid(error.to_string()))?;
    actions.iter().map(|action| action.parse()).collect()
}

/// Those that can be read of what was done.
pub(crate) fn known(actions: &str) -> Vec<Action> {
    let actions: Vec<String> = serde_json::from_str(actions).unwrap_or_default();
    actions.iter().filter_map(|action| action.parse().ok()).collect()
}

/// Where a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RuleScope {
    /// For all feeds.
    #[default]
    Everywhere,
    /// For one.
    Feed(i64),
    /// For those in a folder and in the folders in it.
    Folder(i64),
}

impl RuleScope {
    fn columns(self) -> (Option<i64>, Option<i64>) {
        match self {
            Self::Everywhere => (None, None),
            Self::Feed(id) => (Some(id), None),
            Self::Folder(id) => (None, Some(id)),
        }
    }
}

/// A rule as the reader writes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewRule {
    /// For people; its query where that is empty.
    pub name: String,
    /// In the language of queries.
    pub query: String,
    /// Where it holds.
    pub scope: RuleScope,
    /// At least one.
    pub actions: Vec<Action>,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its number.
    pub id: i64,
    /// For people.
    pub name: String,
    /// As it was written.
    pub query: String,
    /// Where it holds.
    pub scope: RuleScope,
    /// None where they cannot be read.
    pub actions: Vec<Action>,
    /// It is at work.
    pub enabled: bool,
    /// Articles that it did something with.
    pub touched: i64,
    /// Why it cannot be run, in words.
    pub broken: Option<String>,
}

/// A rule's row.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct RuleRow {
    id: i64,
    name: String,
    query: String,
    feed_id: Option<i64>,
    folder_id: Option<i64>,
    actions: String,
    enabled: bool,
    position: i64,
    deleted_at: Option<Millis>,
}

#[derive(sqlx::FromRow)]
struct Counted {
    #[sqlx(flatten)]
    row: RuleRow,
    touched: i64,
}

impl From<Counted> for Rule {
    fn from(Counted { row, touched }: Counted) -> Self {
        let (actions, unknown) = match read(&row.actions) {
            Ok(actions) => (actions, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let broken = gleaner_query::parse(&row.query).err().map(|error| error.to_string()).or(unknown);
        let scope = match (row.feed_id, row.folder_id) {
            (Some(feed), _) => RuleScope::Feed(feed),
            (None, Some(folder)) => RuleScope::Folder(folder),
            (None, None) => RuleScope::Everywhere,
        };
        Self { id: row.id, name: row.name, query: row.query, scope, actions, enabled: row.enabled, touched, broken }
    }
}

/// What a step changed of rules, and what is taken back with it: other steps may have changed the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changed {
    Said,
    Enabled,
    Position,
    Deleted,
}

const COLUMNS: &str = "id, name, query, feed_id, folder_id, actions, enabled, position, deleted_at";

impl Library {
    /// All rules in the order in which they run.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn rules(&self) -> Result<Vec<Rule>, LibraryError> {
        self.read_rules("(SELECT count(DISTINCT item_id) FROM rule_touches t WHERE t.rule_id = rules.id)").await
    }

    /// The same without counting what they did, which takes as long as that is much.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn rules_to_run(&self) -> Result<Vec<Rule>, LibraryError> {
        self.read_rules("0").await
    }

    async fn read_rules(&self, touched: &str) -> Result<Vec<Rule>, LibraryError> {
        let sql =
            format!("SELECT {COLUMNS}, {touched} AS touched FROM rules WHERE deleted_at IS NULL ORDER BY position, id");
        let rows: Vec<Counted> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(Rule::from).collect())
    }

    /// The rule of this number; what it did is not counted.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn rule(&self, id: i64) -> Result<Rule, LibraryError> {
        self.rules_to_run().await?.into_iter().find(|rule| rule.id == id).ok_or(LibraryError::NotFound("rule"))
    }

    /// Adds a rule below the others, at work from now on, and gives its number too.
    ///
    /// # Errors
    /// [`LibraryError::Invalid`] where the query cannot be read or nothing is to be done; [`LibraryError::NotFound`] where it is to
    /// hold for what is not there.
    pub async fn add_rule(&self, rule: &NewRule) -> Result<(i64, Undoable), LibraryError> {
        let (name, actions) = valid(rule)?;
        let (feed, folder) = rule.scope.columns();
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        is_there(&mut transaction, rule.scope).await?;
        let sql = format!(
            "INSERT INTO rules (name, query, feed_id, folder_id, actions, position, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, (SELECT ifnull(max(position), 0) + 1 FROM rules), ?6) RETURNING {COLUMNS}"
        );
        let mut row: RuleRow = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(name)
            .bind(&rule.query)
            .bind(feed)
            .bind(folder)
            .bind(actions)
            .bind(now())
            .fetch_one(&mut *transaction)
            .await?;
        transaction.commit().await?;
        // Taken back, it is deleted: it may have been at work meanwhile.
        row.deleted_at = Some(now());
        Ok((row.id, self.undo.push(1, Undo::ChangedRules(Changed::Deleted, vec![row]))))
    }

    /// Makes a rule say something else. What it did stays done.
    ///
    /// # Errors
    /// As [`Library::add_rule`]; [`LibraryError::NotFound`].
    pub async fn change_rule(&self, id: i64, rule: &NewRule) -> Result<Undoable, LibraryError> {
        let (name, actions) = valid(rule)?;
        let (feed, folder) = rule.scope.columns();
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        is_there(&mut transaction, rule.scope).await?;
        let before = row(&mut transaction, id).await?;
        sqlx::query("UPDATE rules SET name = ?2, query = ?3, feed_id = ?4, folder_id = ?5, actions = ?6 WHERE id = ?1")
            .bind(id)
            .bind(name)
            .bind(&rule.query)
            .bind(feed)
            .bind(folder)
            .bind(actions)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(self.undo.push(1, Undo::ChangedRules(Changed::Said, vec![before])))
    }

    /// Sets a rule to work, or lets it rest.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn enable_rule(&self, id: i64, on: bool) -> Result<Undoable, LibraryError> {
        let sql = "UPDATE rules SET enabled = ?2 WHERE id = ?1";
        self.set_of_rule(Changed::Enabled, sql, id, i64::from(on)).await
    }

    /// Is done with a rule. What it did stays done, and goes on naming it.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn delete_rule(&self, id: i64) -> Result<Undoable, LibraryError> {
        let sql = "UPDATE rules SET deleted_at = ?2 WHERE id = ?1";
        self.set_of_rule(Changed::Deleted, sql, id, now()).await
    }

    async fn set_of_rule(
        &self,
        what: Changed,
        sql: &'static str,
        id: i64,
        value: i64,
    ) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let before = row(&mut transaction, id).await?;
        sqlx::query(sql).bind(id).bind(value).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(self.undo.push(1, Undo::ChangedRules(what, vec![before])))
    }

    /// Puts rules in this order; those that are not named stay below, as they were.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn order_rules(&self, ids: &[i64]) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = format!("SELECT {COLUMNS} FROM rules WHERE deleted_at IS NULL ORDER BY position, id");
        let before: Vec<RuleRow> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&mut *transaction).await?;
        let named = |row: &RuleRow| ids.iter().position(|id| *id == row.id).unwrap_or(usize::MAX);
        let mut ordered: Vec<&RuleRow> = before.iter().collect();
        ordered.sort_by_key(|row| named(row));
        for (position, row) in (1_i64..).zip(&ordered) {
            sqlx::query("UPDATE rules SET position = ?2 WHERE id = ?1")
                .bind(row.id)
                .bind(position)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(self.undo.push(before.len(), Undo::ChangedRules(Changed::Position, before)))
    }

    /// Makes of rules again what they were.
    pub(crate) async fn restore_rules(&self, what: Changed, rows: &[RuleRow]) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        for row in rows {
            let statement = match what {
                Changed::Said => {
                    let sql = "UPDATE rules SET name = ?2, query = ?3, feed_id = ?4, folder_id = ?5, actions = ?6 WHERE id = ?1";
                    sqlx::query(sql)
                        .bind(row.id)
                        .bind(&row.name)
                        .bind(&row.query)
                        .bind(row.feed_id)
                        .bind(row.folder_id)
                        .bind(&row.actions)
                }
                Changed::Enabled => {
                    sqlx::query("UPDATE rules SET enabled = ?2 WHERE id = ?1").bind(row.id).bind(row.enabled)
                }
                Changed::Position => {
                    sqlx::query("UPDATE rules SET position = ?2 WHERE id = ?1").bind(row.id).bind(row.position)
                }
                Changed::Deleted => {
                    sqlx::query("UPDATE rules SET deleted_at = ?2 WHERE id = ?1").bind(row.id).bind(row.deleted_at)
                }
            };
            statement.execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Its name and its actions, as they are kept.
fn valid(rule: &NewRule) -> Result<(String, String), LibraryError> {
    gleaner_query::parse(&rule.query).map_err(|error| LibraryError::Invalid(error.to_string()))?;
    if rule.actions.is_empty() {
        return Err(LibraryError::Invalid("a rule needs something to do".to_owned()));
    }
    let tidied = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = [&rule.name, &rule.query].into_iter().map(|text| tidied(text)).find(|name| !name.is_empty());
    let name = name.ok_or_else(|| LibraryError::Invalid("a rule needs a name".to_owned()))?;
    // A tag without a name is refused as it would be when it is read again.
    let actions = written(&rule.actions)?;
    read(&actions)?;
    Ok((name, actions))
}

async fn is_there(connection: &mut SqliteConnection, scope: RuleScope) -> Result<(), LibraryError> {
    let (sql, id, what) = match scope {
        RuleScope::Everywhere => return Ok(()),
        RuleScope::Feed(id) => ("SELECT id FROM feeds WHERE id = ? AND unsubscribed_at IS NULL", id, "feed"),
        RuleScope::Folder(id) => ("SELECT id FROM folders WHERE id = ?", id, "folder"),
    };
    let there: Option<i64> = sqlx::query_scalar(sql).bind(id).fetch_optional(connection).await?;
    there.map(|_| ()).ok_or(LibraryError::NotFound(what))
}

async fn row(connection: &mut SqliteConnection, id: i64) -> Result<RuleRow, LibraryError> {
    let sql = format!("SELECT {COLUMNS} FROM rules WHERE id = ? AND deleted_at IS NULL");
    let row = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(connection).await?;
    row.ok_or(LibraryError::NotFound("rule"))
}

/// The rules of a folder that goes are deleted with it, and hold nowhere. Says what they were.
pub(crate) async fn leave_folder(connection: &mut SqliteConnection, folder: i64) -> Result<Vec<i64>, LibraryError> {
    let live: Vec<i64> = sqlx::query_scalar("SELECT id FROM rules WHERE folder_id = ? AND deleted_at IS NULL")
        .bind(folder)
        .fetch_all(&mut *connection)
        .await?;
    sqlx::query("UPDATE rules SET folder_id = NULL, deleted_at = ifnull(deleted_at, ?2) WHERE folder_id = ?1")
        .bind(folder)
        .bind(now())
        .execute(connection)
        .await?;
    Ok(live)
}

/// They hold for this folder.
pub(crate) async fn enter_folder(
    connection: &mut SqliteConnection,
    folder: i64,
    rules: &[i64],
) -> Result<(), LibraryError> {
    let sql = "UPDATE rules SET folder_id = ?1, deleted_at = NULL WHERE id IN (SELECT value FROM json_each(?2))";
    sqlx::query(sql).bind(folder).bind(super::states::json(rules)?).execute(connection).await?;
    Ok(())
}

/// Rules of one feed hold for another. Says which.
pub(crate) async fn change_feed(
    connection: &mut SqliteConnection,
    from: i64,
    into: i64,
) -> Result<Vec<i64>, LibraryError> {
    let sql = "UPDATE rules SET feed_id = ?2 WHERE feed_id = ?1 RETURNING id";
    Ok(sqlx::query_scalar(sql).bind(from).bind(into).fetch_all(connection).await?)
}

#[cfg(test)]
mod tests;
