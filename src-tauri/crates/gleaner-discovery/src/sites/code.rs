//! Code hosting, packages, and questions about code.

use super::{Feed, Place, feed, named};

/// Users, repositories, branches, files, discussions.
pub(super) fn github(place: &Place<'_>) -> Vec<Feed> {
    const RESERVED: [&str; 28] = [
        "about",
        "apps",
        "codespaces",
        "collections",
        "contact",
        "customer-stories",
        "dashboard",
        "enterprise",
        "events",
        "explore",
        "features",
        "issues",
        "join",
        "login",
        "marketplace",
        "new",
        "notifications",
        "organizations",
        "pricing",
        "pulls",
        "search",
        "security",
        "settings",
        "sponsors",
        "stars",
        "topics",
        "trending",
        "watching",
    ];
    const SITE: &str = "https://github.com";
    match place.path[..] {
        ["orgs", name, "discussions", ..] => feed(format!("{SITE}/orgs/{name}/discussions.atom")),
        ["orgs", ..] => Vec::new(),
        [name, ..] if RESERVED.contains(&name) => Vec::new(),
        [name] => feed(format!("{SITE}/{}.atom", name.trim_end_matches(".atom"))),
        [name, repository]
        | [
            name,
            repository,
            "issues" | "pulls" | "pull" | "actions" | "projects" | "security" | "pulse" | "commit" | "compare"
            | "branches" | "labels" | "milestones" | "milestone" | "stargazers" | "watchers" | "forks" | "network"
            | "graphs" | "packages" | "deployments" | "activity" | "contributors" | "find" | "raw",
            ..,
        ] => {
            let repository = format!("{SITE}/{name}/{}", repository.trim_end_matches(".git"));
            vec![
                named(format!("{repository}/releases.atom"), "Releases"),
                named(format!("{repository}/commits.atom"), "Commits"),
                named(format!("{repository}/tags.atom"), "Tags"),
            ]
        }
        [name, repository, "releases", ..] => feed(format!("{SITE}/{name}/{repository}/releases.atom")),
        [name, repository, "tags", ..] => feed(format!("{SITE}/{name}/{repository}/tags.atom")),
        [name, repository, "discussions", ..] => feed(format!("{SITE}/{name}/{repository}/discussions.atom")),
        [name, repository, "wiki", ..] => feed(format!("{SITE}/{name}/{repository}/wiki.atom")),
        [name, repository, "commits"] => feed(format!("{SITE}/{name}/{repository}/commits.atom")),
        [name, repository, "tree" | "blob" | "blame" | "commits", ref rest @ ..] if !rest.is_empty() => {
            feed(format!("{SITE}/{name}/{repository}/commits/{}.atom", rest.join("/")))
        }
        _ => Vec::new(),
    }
}

pub(super) fn gist(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        [name] if name != "discover" => feed(format!("https://gist.github.com/{name}.atom")),
        _ => Vec::new(),
    }
}

/// Projects in groups of any depth, users and groups. The path after `/-/` is a part of the project.
pub(super) fn gitlab(place: &Place<'_>) -> Vec<Feed> {
    const PARTS: [&str; 7] = ["tree", "blob", "commits", "issues", "merge_requests", "tags", "releases"];
    // Groups and users also have a long form of their address; old addresses of projects lack the dash.
    let path = match place.path[..] {
        ["groups", ref rest @ ..] => rest,
        ["users", ref rest @ ..] => &rest[..rest.len().min(1)],
        ref path => path,
    };
    let dash = path.iter().position(|segment| *segment == "-");
    let old = path.iter().skip(2).position(|segment| PARTS.contains(segment)).map(|at| at + 2);
    let (project, part) = path.split_at(dash.or(old).unwrap_or(path.len()));
    let part = part.strip_prefix(&["-"]).unwrap_or(part);
    let origin = place.origin();
    let root = format!("{origin}/{}", project.join("/").trim_end_matches(".git"));
    match (project, part) {
        ([], _) | (["explore" | "help" | "search" | "dashboard" | "admin", ..], _) => Vec::new(),
        ([name], _) => feed(format!("{origin}/{name}.atom")),
        (_, ["issues", ..]) => feed(format!("{root}/-/issues.atom")),
        (_, ["merge_requests", ..]) => feed(format!("{root}/-/merge_requests.atom")),
        (_, ["tags", ..]) => feed(format!("{root}/-/tags?format=atom")),
        (_, ["releases", ..]) => feed(format!("{root}/-/releases.atom")),
        // The name of a branch may contain slashes and is followed by a path.
        (_, ["commits", branch @ ..]) if !branch.is_empty() => {
            feed(format!("{root}/-/commits/{}?format=atom", branch.join("/")))
        }
        (_, ["tree" | "blob", branch, ..]) => feed(format!("{root}/-/commits/{branch}?format=atom")),
        _ => vec![
            named(format!("{root}/-/releases.atom"), "Releases"),
            named(format!("{root}/-/tags?format=atom"), "Tags"),
            named(format!("{root}.atom"), "Activity"),
        ],
    }
}

/// Forgejo and Gitea: everything has its feed at its path with `.rss`.
pub(super) fn forgejo(place: &Place<'_>) -> Vec<Feed> {
    const RESERVED: [&str; 7] = ["explore", "user", "admin", "assets", "api", "org", "-"];
    let origin = place.origin();
    match place.path[..] {
        [] => Vec::new(),
        [name, ..] if RESERVED.contains(&name) => Vec::new(),
        [name] => feed(format!("{origin}/{name}.rss")),
        [name, repository, "releases", ..] => feed(format!("{origin}/{name}/{repository}/releases.rss")),
        [name, repository, "tags", ..] => feed(format!("{origin}/{name}/{repository}/tags.rss")),
        [name, repository, "commits" | "src", "branch", ref branch @ ..] if !branch.is_empty() => {
            feed(format!("{origin}/{name}/{repository}/rss/branch/{}", branch.join("/")))
        }
        [name, repository, ..] => {
            let repository = format!("{origin}/{name}/{}", repository.trim_end_matches(".git"));
            vec![
                named(format!("{repository}/releases.rss"), "Releases"),
                named(format!("{repository}/tags.rss"), "Tags"),
                named(format!("{repository}.rss"), "Activity"),
            ]
        }
    }
}

/// Recognises self-hosted forges by their page.
pub(super) fn forge_by_page(place: &Place<'_>) -> Vec<Feed> {
    let Some(page) = place.page else { return Vec::new() };
    let describes = page.meta("description").is_some_and(|words| words.starts_with("GitLab "));
    if page.meta("og:site_name") == Some("GitLab") || describes {
        return gitlab(place);
    }
    let keywords = page.meta("keywords").unwrap_or_default();
    let words = [keywords, page.meta("author").unwrap_or_default(), page.meta("generator").unwrap_or_default()];
    let is = |name: &str| words.iter().any(|word| word.to_ascii_lowercase().contains(name));
    // An instance may change its description; its footer still names the software.
    let footer = ["https://forgejo.org", "https://about.gitea.com", "https://gitea.io", "https://gitea.com"];
    let named = is("forgejo") || is("gitea") || footer.iter().any(|home| page.text.contains(home));
    if page.text.contains("window.config") && named { forgejo(place) } else { Vec::new() }
}

pub(super) fn sourcehut(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        [name, repository, ..] if name.starts_with('~') => {
            let repository = format!("https://git.sr.ht/{name}/{repository}");
            vec![
                named(format!("{repository}/refs/rss.xml"), "Releases"),
                named(format!("{repository}/log/rss.xml"), "Commits"),
            ]
        }
        _ => Vec::new(),
    }
}

pub(super) fn pypi(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["project", name, ..] => feed(format!("https://pypi.org/rss/project/{name}/releases.xml")),
        [] => vec![
            named("https://pypi.org/rss/updates.xml", "Updates"),
            named("https://pypi.org/rss/packages.xml", "New packages"),
        ],
        _ => Vec::new(),
    }
}

pub(super) fn crates(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["crates", name, ..] => feed(format!("https://static.crates.io/rss/crates/{name}.xml")),
        [] => vec![
            named("https://static.crates.io/rss/updates.xml", "Updates"),
            named("https://static.crates.io/rss/crates.xml", "New crates"),
        ],
        _ => Vec::new(),
    }
}

/// Tags, questions, users, and the whole site.
pub(super) fn stack_exchange(place: &Place<'_>) -> Vec<Feed> {
    let origin = place.origin();
    match place.path[..] {
        [] | ["questions"] => feed(format!("{origin}/feeds")),
        ["questions", "tagged", tags, ..] if tags.contains('+') || tags.contains("%20") => {
            let tags = tags.replace("%20", "+");
            let tags = if tags.contains("+or+") { tags } else { tags.replace('+', "+and+") };
            feed(format!("{origin}/feeds/tag?tagnames={tags}&sort=newest"))
        }
        ["questions", "tagged", tag, ..] | ["tags", tag, ..] => feed(format!("{origin}/feeds/tag/{tag}")),
        ["questions" | "q", id, ..] if id.bytes().all(|byte| byte.is_ascii_digit()) => {
            feed(format!("{origin}/feeds/question/{id}"))
        }
        ["users", id, ..] => feed(format!("{origin}/feeds/user/{id}")),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::sites::assert_feeds;

    #[test]
    fn github_people_repositories_and_parts() {
        assert_feeds("https://github.com/someone/", None, &["https://github.com/someone.atom"]);
        let all = [
            "https://github.com/someone/thing/releases.atom",
            "https://github.com/someone/thing/commits.atom",
            "https://github.com/someone/thing/tags.atom",
        ];
        for address in ["someone/thing", "someone/thing.git", "someone/thing/issues/3"] {
            assert_feeds(&format!("https://github.com/{address}"), None, &all);
        }
        for (address, feed) in [
            ("someone/thing/releases/tag/v1", "someone/thing/releases.atom"),
            ("someone/thing/commits/main", "someone/thing/commits/main.atom"),
            ("someone/thing/tree/dev/docs", "someone/thing/commits/dev/docs.atom"),
            ("someone/thing/blob/main/README.md", "someone/thing/commits/main/README.md.atom"),
            ("someone/thing/discussions/7", "someone/thing/discussions.atom"),
            ("someone/thing/wiki/Home", "someone/thing/wiki.atom"),
            ("orgs/many/discussions/31#x", "orgs/many/discussions.atom"),
        ] {
            assert_feeds(&format!("https://github.com/{address}"), None, &[&format!("https://github.com/{feed}")]);
        }
        for address in ["", "explore", "topics/rust", "someone/thing/nothing/known"] {
            assert_feeds(&format!("https://github.com/{address}"), None, &[]);
        }
        assert_feeds("https://gist.github.com/someone", None, &["https://gist.github.com/someone.atom"]);
    }

    #[test]
    fn gitlab_projects_of_any_depth() {
        let project = "https://gitlab.com/group/sub/thing";
        let all = [
            "https://gitlab.com/group/sub/thing/-/releases.atom",
            "https://gitlab.com/group/sub/thing/-/tags?format=atom",
            "https://gitlab.com/group/sub/thing.atom",
        ];
        assert_feeds(project, None, &all);
        assert_feeds(&format!("{project}/-/issues/4"), None, &["https://gitlab.com/group/sub/thing/-/issues.atom"]);
        assert_feeds(
            &format!("{project}/-/tree/main/docs"),
            None,
            &["https://gitlab.com/group/sub/thing/-/commits/main?format=atom"],
        );
        assert_feeds("https://gitlab.com/someone", None, &["https://gitlab.com/someone.atom"]);
        let page = Some(r#"<meta content="GitLab" property="og:site_name">"#);
        assert_feeds("https://git.example/someone", page, &["https://git.example/someone.atom"]);
    }

    #[test]
    fn forgejo_on_known_hosts_and_by_its_page() {
        let all = |host: &str| ["releases.rss", "tags.rss"].map(|part| format!("https://{host}/someone/thing/{part}"));
        let [releases, tags] = all("codeberg.org");
        let activity = "https://codeberg.org/someone/thing.rss";
        assert_feeds("https://codeberg.org/someone/thing", None, &[&releases, &tags, activity]);
        assert_feeds("https://codeberg.org/someone", None, &["https://codeberg.org/someone.rss"]);
        assert_feeds("https://codeberg.org/someone/thing/releases", None, &[&releases]);
        let page = r#"<meta name="keywords" content="git,forge,forgejo"><script>window.config = {}</script>"#;
        assert_feeds("https://git.example/someone", Some(page), &["https://git.example/someone.rss"]);
        assert_feeds("https://git.example/someone", Some("<p>forgejo</p>"), &[]);
    }

    #[test]
    fn parts_of_repositories_and_long_forms() {
        let all = [
            "https://github.com/someone/thing/releases.atom",
            "https://github.com/someone/thing/commits.atom",
            "https://github.com/someone/thing/tags.atom",
        ];
        for address in ["someone/thing/pull/12/files", "someone/thing/commit/abc123", "someone/thing/?tab=readme#x"] {
            assert_feeds(&format!("https://GitHub.com/{address}"), None, &all);
        }
        assert_feeds("https://www.github.com/someone?tab=repositories", None, &["https://github.com/someone.atom"]);
        assert_feeds(
            "https://gitlab.com/groups/many/sub",
            None,
            &[
                "https://gitlab.com/many/sub/-/releases.atom",
                "https://gitlab.com/many/sub/-/tags?format=atom",
                "https://gitlab.com/many/sub.atom",
            ],
        );
        assert_feeds("https://gitlab.com/groups/many/-/issues", None, &["https://gitlab.com/many.atom"]);
        assert_feeds("https://gitlab.com/users/someone/activity", None, &["https://gitlab.com/someone.atom"]);
        for (address, feed) in [
            ("group/thing/issues", "group/thing/-/issues.atom"),
            ("group/thing/tree/main/docs", "group/thing/-/commits/main?format=atom"),
            ("group/sub/thing/-/commits/fix/one", "group/sub/thing/-/commits/fix/one?format=atom"),
            ("group/thing/-/merge_requests/7", "group/thing/-/merge_requests.atom"),
            ("group/thing.git/-/tags", "group/thing/-/tags?format=atom"),
        ] {
            assert_feeds(&format!("https://gitlab.com/{address}"), None, &[&format!("https://gitlab.com/{feed}")]);
        }
        assert_feeds(
            "https://codeberg.org/someone/thing/commits/branch/fix/one",
            None,
            &["https://codeberg.org/someone/thing/rss/branch/fix/one"],
        );
        let footer =
            "<script>window.config = {}</script><footer><a href='https://forgejo.org'>Powered by Forgejo</a></footer>";
        assert_feeds("https://git.example:3000/someone", Some(footer), &["https://git.example:3000/someone.rss"]);
        assert_feeds("http://192.168.1.5:3000/someone", Some(footer), &["http://192.168.1.5:3000/someone.rss"]);
    }

    #[test]
    fn packages_and_sourcehut() {
        assert_feeds("https://pypi.org/project/thing/", None, &["https://pypi.org/rss/project/thing/releases.xml"]);
        assert_feeds("https://crates.io/crates/thing/1.0.0", None, &["https://static.crates.io/rss/crates/thing.xml"]);
        assert_feeds(
            "https://git.sr.ht/~someone/thing",
            None,
            &["https://git.sr.ht/~someone/thing/refs/rss.xml", "https://git.sr.ht/~someone/thing/log/rss.xml"],
        );
    }

    #[test]
    fn stack_exchange_tags_questions_and_people() {
        for (address, feed) in [
            ("https://stackoverflow.com/questions/tagged/rust", "https://stackoverflow.com/feeds/tag/rust"),
            ("https://unix.stackexchange.com/questions/tagged/bash", "https://unix.stackexchange.com/feeds/tag/bash"),
            (
                "https://Stackoverflow.com/questions/tagged/c%2b%2b?tab=Votes",
                "https://stackoverflow.com/feeds/tag/c%2b%2b",
            ),
            ("https://ru.stackoverflow.com/tags/rust/info", "https://ru.stackoverflow.com/feeds/tag/rust"),
            (
                "https://stackoverflow.com/questions/tagged/rust+or+go",
                "https://stackoverflow.com/feeds/tag?tagnames=rust+or+go&sort=newest",
            ),
            ("https://stackoverflow.com/q/123/456", "https://stackoverflow.com/feeds/question/123"),
            ("https://stackoverflow.com/questions/123/some-title", "https://stackoverflow.com/feeds/question/123"),
            ("https://superuser.com/users/9/someone", "https://superuser.com/feeds/user/9"),
            ("https://serverfault.com/", "https://serverfault.com/feeds"),
            (
                "https://stackoverflow.com/questions/tagged/rust+tokio",
                "https://stackoverflow.com/feeds/tag?tagnames=rust+and+tokio&sort=newest",
            ),
        ] {
            assert_feeds(address, None, &[feed]);
        }
    }
}
