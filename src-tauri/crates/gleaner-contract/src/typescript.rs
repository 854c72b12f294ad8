use crate::*;
use ts_rs::{Config, TS};

fn declare<T: TS + 'static>(out: &mut String, config: &Config) {
    out.push_str("export ");
    out.push_str(&T::decl(config));
    out.push('\n');
}

/// The whole of `ui/src/lib/ipc/generated.ts`.
pub fn typescript() -> String {
    let config = Config::new().with_large_int("number");
    let mut out = String::from(
        "// Made by `cargo run -p gleaner-contract` from src-tauri/crates/gleaner-contract. Not to be edited.\n\n",
    );
    macro_rules! declare_all { ($($t:ty),* $(,)?) => { $( declare::<$t>(&mut out, &config); )* } }
    declare_all!(
        ErrorCode,
        IpcError,
        Source,
        Cursor,
        ListQuery,
        ArticleRow,
        ArticlePage,
        OpenArticle,
        DoubtLinks,
        OpenDoubted,
        Search,
        SearchOrder,
        SearchAnswer,
        SearchHit,
        TextRange,
        Article,
        Enclosure,
        Elsewhere,
        Collections,
        SavedSearch,
        Tag,
        SaveSearch,
        SearchId,
        ChangeSearch,
        MoveSearch,
        DeleteSearch,
        TagArticles,
        RenameTag,
        DeleteTag,
        KeepProgress,
        Playback,
        KeepPlayback,
        Categories,
        Facet,
        Synonym,
        SetSynonym,
        Overview,
        Folder,
        Feed,
        Trouble,
        Counts,
        SmartCounts,
        FeedUnread,
        Mark,
        MarkScope,
        MarkAll,
        Marked,
        UndoStep,
        Unsubscribe,
        RenameFeed,
        MoveFeed,
        CreateFolder,
        RenameFolder,
        MoveFolder,
        SetFolderOpen,
        FolderId,
        RefreshScope,
        RefreshProgress,
        LibraryChanged,
        FeedId,
        PollReason,
        PollWishes,
        PollLine,
        Remedy,
        FeedRecord,
        Traffic,
        SetRefreshInterval,
        ChangeFeedAddress,
        MergeFeeds,
        Secret,
        FeedAccess,
        LoginKind,
        SecretPlace,
        Login,
        Header,
        SetAccess,
        AcceptCertificate,
        Reach,
        Certificate,
        CertificateFault,
        StartBackfill,
        BackfillProgress,
        BackfillEnd,
        AheadWish,
        AheadSettings,
        AheadState,
        FeedAhead,
        AheadProgress,
        ShowText,
        KeptPicture,
        Backups,
        Backup,
        BackupOccasion,
        RestoreBackup,
        Renewed,
        LostPart,
        CompareVersions,
        Comparison,
        KeepScope,
        Keep,
        Keeping,
        SetKeep,
        KeepPreview,
        FeedGoing,
        ArticleGoing,
        ImportPhase,
        ImportProgress,
        ImportSummary,
        ArchiveCounts,
        ExportProgress,
        Exported,
        DocumentForm,
        SaveArticles,
        SavedDocument,
        ImportTrouble,
        RuleAction,
        RuleScope,
        Rule,
        SaveRule,
        SavedRule,
        RuleId,
        EnableRule,
        OrderRules,
        PreviewRule,
        RuleChange,
        RulePreview,
        ApplyProgress,
        RuleTouch,
        Theme,
        ArticleFont,
        ArticleLook,
        KeyPreset,
        Settings,
        Discover,
        Discovered,
        Candidate,
        CandidateItem,
        FolderChoice,
        Subscribe,
        Subscribed,
        SubscribeMany,
        StarterSubject,
        StarterFeed,
    );
    out.push_str("\nexport type Commands = {\n");
    for command in COMMANDS {
        let (args, result) = ((command.args)(&config), (command.result)(&config));
        out.push_str(&format!("  {}: {{ args: {args}; result: {result} }};\n", command.name));
    }
    out.push_str("};\n\nexport type Events = {\n");
    for event in EVENTS {
        out.push_str(&format!("  {}: {};\n", event.name, (event.payload)(&config)));
    }
    out.push_str("};\n");
    out
}

#[cfg(test)]
mod tests {
    /// Generated TypeScript is never stale (house rule 5).
    #[test]
    fn the_windows_types_are_fresh() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../ui/src/lib/ipc/generated.ts");
        let there = std::fs::read_to_string(file).expect("ui/src/lib/ipc/generated.ts is there");
        assert!(there == super::typescript(), "generated.ts is stale: run `cargo run -p gleaner-contract`");
    }
}
