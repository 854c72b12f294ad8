//! `rules`: actions for articles that match a query, when they are received or for existing ones. Rules run from top to bottom. A query or
//! action of a newer Gleaner is kept as it is: such a rule is `broken`, and skipped. A deleted rule keeps its row, since `rule_touches`
//! still names it.

use crate::{
    LibraryError, Millis, Refusal, Undoable,
    database::{Database, repository, undo::UndoStep},
    json::json,
};
use futures::future::BoxFuture;
use gleaner_query::{Expr, one_line};
use sqlx::SqliteConnection;
use std::{fmt, str::FromStr};

/// An action of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Action {
    /// Marks it read.
    Read,
    /// Stars it.
    Star,
    /// Adds this tag.
    Tag(String),
    /// Hides it.
    Hide,
    /// Notifies the user when it is received.
    Notify,
    /// Keeps it forever.
    Keep,
    /// Downloads its full text.
    FullText,
}

/// The stored form, and that of the command line: `read`, `star`, `tag:NAME`, `hide`, `notify`, `keep`, `text`.
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
                Some("") => return Err(LibraryError::from(Refusal::TagName)),
                Some(name) => Self::Tag(name.to_owned()),
                None => {
                    return Err(LibraryError::from(Refusal::UnknownAction(other.to_owned())));
                }
            },
        })
    }
}

/// Returns the stored form.
pub(crate) fn to_json(actions: &[Action]) -> Result<String, LibraryError> {
    let actions: Vec<String> = actions.iter().map(Action::to_string).collect();
    json(&actions)
}

fn read(actions: &str) -> Result<Vec<Action>, LibraryError> {
    let actions: Vec<String> =
        serde_json::from_str(actions).map_err(|error| LibraryError::Invalid(error.to_string()))?;
    actions.iter().map(|action| action.parse()).collect()
}

/// Reads the stored form, without unknown actions.
pub(crate) fn known(actions: &str) -> Vec<Action> {
    let actions: Vec<String> = serde_json::from_str(actions).unwrap_or_default();
    actions.iter().filter_map(|action| action.parse().ok()).collect()
}

/// Where a rule applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RuleScope {
    /// For all feeds.
    #[default]
    Everywhere,
    /// To one feed.
    Feed(i64),
    /// To the feeds in a folder and its subfolders.
    Folder(i64),
}

/// The effect of a rule on a new article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruled {
    /// Id of the rule.
    pub rule: i64,
    /// The performed actions, without those of earlier rules.
    pub did: Vec<Action>,
}

/// Returns the condition that a rule did this to the current row of `items`.
pub(crate) fn was_applied(action: &Action) -> String {
    format!(
        "EXISTS (SELECT 1 FROM rule_touches t, json_each(iif(json_valid(t.actions), t.actions, '[]')) a WHERE t.item_id = items.id AND a.value = '{action}')"
    )
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

/// A rule as the user writes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewRule {
    /// Name; empty: the query.
    pub name: String,
    /// Query.
    pub query: String,
    /// Where it applies.
    pub scope: RuleScope,
    /// At least one.
    pub actions: Vec<Action>,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Query as it was written.
    pub query: String,
    /// Where it applies.
    pub scope: RuleScope,
    /// Empty if they are unreadable.
    pub actions: Vec<Action>,
    /// Whether it is enabled.
    pub enabled: bool,
    /// Number of articles that it changed.
    pub touched: i64,
    /// Why it cannot run.
    pub broken: Option<String>,
}

/// A rule's row.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
struct RuleRow {
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

/// The parts of rules that a step changed. Only these are undone, since other steps may have changed the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Changed {
    Content,
    Enabled,
    Position,
    Deleted,
}

const COLUMNS: &str = "id, name, query, feed_id, folder_id, actions, enabled, position, deleted_at";

repository!(
    /// The rules for incoming articles.
    Rules
);

impl Rules<'_> {
    /// Returns all rules in the order in which they run.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<Rule>, LibraryError> {
        self.read("(SELECT count(DISTINCT item_id) FROM rule_touches t WHERE t.rule_id = rules.id)").await
    }

    /// Returns all rules without counting their articles, which takes long for many.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list_uncounted(self) -> Result<Vec<Rule>, LibraryError> {
        self.read("0").await
    }

    async fn read(self, touched: &str) -> Result<Vec<Rule>, LibraryError> {
        let sql =
            format!("SELECT {COLUMNS}, {touched} AS touched FROM rules WHERE deleted_at IS NULL ORDER BY position, id");
        let rows: Vec<Counted> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&self.db.readers).await?;
        Ok(rows.into_iter().map(Rule::from).collect())
    }

    /// Returns one rule; its articles are not counted.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn get(self, id: i64) -> Result<Rule, LibraryError> {
        self.list_uncounted().await?.into_iter().find(|rule| rule.id == id).ok_or(LibraryError::NotFound("rule"))
    }

    /// Adds an enabled rule below the others, and returns its id too.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] if the query is unreadable or there is no action; [`LibraryError::NotFound`] if its feed or
    /// folder does not exist.
    pub async fn add(self, rule: &NewRule) -> Result<(i64, Undoable), LibraryError> {
        let (name, actions) = checked(rule)?;
        let (feed, folder) = rule.scope.columns();
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        check_scope(&mut transaction, rule.scope).await?;
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
            .bind(self.db.now())
            .fetch_one(&mut *transaction)
            .await?;
        transaction.commit().await?;
        // Undoing deletes it and keeps the row, since it may have been applied in the meantime.
        row.deleted_at = Some(self.db.now());
        Ok((row.id, self.db.undo.push(1, RulesChanged { what: Changed::Deleted, before: vec![row] })))
    }

    /// Changes a rule. What it did stays.
    ///
    /// # Errors
    /// As [`Self::add`]; [`LibraryError::NotFound`].
    pub async fn change(self, id: i64, rule: &NewRule) -> Result<Undoable, LibraryError> {
        let (name, actions) = checked(rule)?;
        let (feed, folder) = rule.scope.columns();
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        check_scope(&mut transaction, rule.scope).await?;
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
        Ok(self.db.undo.push(1, RulesChanged { what: Changed::Content, before: vec![before] }))
    }

    /// Enables or disables a rule.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn set_enabled(self, id: i64, on: bool) -> Result<Undoable, LibraryError> {
        let sql = "UPDATE rules SET enabled = ?2 WHERE id = ?1";
        self.update(Changed::Enabled, sql, id, i64::from(on)).await
    }

    /// Deletes a rule. What it did stays, and still names it.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn delete(self, id: i64) -> Result<Undoable, LibraryError> {
        let sql = "UPDATE rules SET deleted_at = ?2 WHERE id = ?1";
        self.update(Changed::Deleted, sql, id, self.db.now()).await
    }

    async fn update(self, what: Changed, sql: &'static str, id: i64, value: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let before = row(&mut transaction, id).await?;
        sqlx::query(sql).bind(id).bind(value).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(1, RulesChanged { what, before: vec![before] }))
    }

    /// Sets the order of rules; others follow in their former order.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn reorder(self, ids: &[i64]) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
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
        Ok(self.db.undo.push(before.len(), RulesChanged { what: Changed::Position, before }))
    }

    /// Restores rules.
    async fn restore(self, what: Changed, rows: &[RuleRow]) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        for row in rows {
            let statement = match what {
                Changed::Content => {
                    check_former_scope(&mut transaction, row).await?;
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
                    // A rule whose folder was deleted in the meantime must not apply to all feeds.
                    let sql = "UPDATE rules SET deleted_at = ?2 WHERE id = ?1 AND (?2 IS NOT NULL OR ?3 IS NULL OR folder_id IS NOT NULL)";
                    sqlx::query(sql).bind(row.id).bind(row.deleted_at).bind(row.folder_id)
                }
            };
            let done = statement.execute(&mut *transaction).await?;
            if what == Changed::Deleted && done.rows_affected() == 0 {
                let sql = "SELECT EXISTS (SELECT 1 FROM rules WHERE id = ?)";
                let exists: bool = sqlx::query_scalar(sql).bind(row.id).fetch_one(&mut *transaction).await?;
                return Err(if exists { Refusal::RuleFolderDeleted.into() } else { LibraryError::NotFound("rule") });
            }
        }
        Ok(transaction.commit().await?)
    }
}

/// The former state of rules, and which parts of it changed.
#[derive(Debug)]
struct RulesChanged {
    what: Changed,
    before: Vec<RuleRow>,
}

impl UndoStep for RulesChanged {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Rules::new(db).restore(self.what, &self.before).await })
    }
}

/// Returns the name and the stored form of the actions.
fn checked(rule: &NewRule) -> Result<(String, String), LibraryError> {
    let query = gleaner_query::parse(&rule.query).map_err(Refusal::Query)?;
    if query == Expr::All && !rule.query.trim().is_empty() {
        return Err(LibraryError::from(Refusal::RuleQuery));
    }
    if rule.actions.is_empty() {
        return Err(LibraryError::from(Refusal::RuleActions));
    }
    let name = [&rule.name, &rule.query].into_iter().map(|text| one_line(text)).find(|name| !name.is_empty());
    let name = name.ok_or_else(|| LibraryError::from(Refusal::RuleName))?;
    // A tag without a name is refused here, not when it is read.
    let actions = to_json(&rule.actions)?;
    read(&actions)?;
    Ok((name, actions))
}

async fn check_scope(connection: &mut SqliteConnection, scope: RuleScope) -> Result<(), LibraryError> {
    let (sql, id, what) = match scope {
        RuleScope::Everywhere => return Ok(()),
        RuleScope::Feed(id) => ("SELECT id FROM feeds WHERE id = ? AND unsubscribed_at IS NULL", id, "feed"),
        RuleScope::Folder(id) => ("SELECT id FROM folders WHERE id = ?", id, "folder"),
    };
    let there: Option<i64> = sqlx::query_scalar(sql).bind(id).fetch_optional(connection).await?;
    there.map(|_| ()).ok_or(LibraryError::NotFound(what))
}

/// Checks that the feed or folder to which a rule applied still exists.
async fn check_former_scope(connection: &mut SqliteConnection, row: &RuleRow) -> Result<(), LibraryError> {
    let sql = "SELECT ?1 IS NULL OR EXISTS (SELECT 1 FROM feeds WHERE id = ?1), ?2 IS NULL OR EXISTS (SELECT 1 FROM folders WHERE id = ?2)";
    let exist = sqlx::query_as(sql).bind(row.feed_id).bind(row.folder_id).fetch_one(connection).await?;
    match exist {
        (false, _) => Err(LibraryError::NotFound("feed")),
        (_, false) => Err(LibraryError::from(Refusal::RuleFolderDeleted)),
        (true, true) => Ok(()),
    }
}

async fn row(connection: &mut SqliteConnection, id: i64) -> Result<RuleRow, LibraryError> {
    let sql = format!("SELECT {COLUMNS} FROM rules WHERE id = ? AND deleted_at IS NULL");
    let row = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(connection).await?;
    row.ok_or(LibraryError::NotFound("rule"))
}

/// Deletes the rules of a folder that is being deleted. Returns their ids; for rules that were already deleted, also when.
pub(crate) async fn leave_folder(
    connection: &mut SqliteConnection,
    folder: i64,
    now: Millis,
) -> Result<Vec<(i64, Option<Millis>)>, LibraryError> {
    let rules: Vec<(i64, Option<Millis>)> = sqlx::query_as("SELECT id, deleted_at FROM rules WHERE folder_id = ?")
        .bind(folder)
        .fetch_all(&mut *connection)
        .await?;
    sqlx::query("UPDATE rules SET folder_id = NULL, deleted_at = ifnull(deleted_at, ?2) WHERE folder_id = ?1")
        .bind(folder)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(rules)
}

/// Restores the rules of a folder.
pub(crate) async fn enter_folder(
    connection: &mut SqliteConnection,
    folder: i64,
    rules: &[(i64, Option<Millis>)],
) -> Result<(), LibraryError> {
    for (rule, deleted_at) in rules {
        sqlx::query("UPDATE rules SET folder_id = ?2, deleted_at = ?3 WHERE id = ?1")
            .bind(rule)
            .bind(folder)
            .bind(deleted_at)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Moves the rules of one feed to another. Returns their ids.
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
