-- Expired articles are restored when the user adds them to the play queue or the queue of a service, or downloads an episode of theirs.
-- Explained in src/table/pending_deletion.rs.

PRAGMA user_version = 35;

CREATE TRIGGER going_queued_to_play AFTER INSERT ON play_queue WHEN EXISTS (SELECT 1 FROM going WHERE item_id = new.item_id) BEGIN
    UPDATE states SET hidden = (SELECT was_hidden FROM going WHERE item_id = new.item_id) WHERE item_id = new.item_id;
    DELETE FROM going WHERE item_id = new.item_id;
END;
CREATE TRIGGER going_queued_to_save AFTER INSERT ON share_queue WHEN EXISTS (SELECT 1 FROM going WHERE item_id = new.item_id) BEGIN
    UPDATE states SET hidden = (SELECT was_hidden FROM going WHERE item_id = new.item_id) WHERE item_id = new.item_id;
    DELETE FROM going WHERE item_id = new.item_id;
END;
CREATE TRIGGER going_downloaded AFTER INSERT ON episodes WHEN EXISTS (SELECT 1 FROM going WHERE item_id = new.item_id) BEGIN
    UPDATE states SET hidden = (SELECT was_hidden FROM going WHERE item_id = new.item_id) WHERE item_id = new.item_id;
    DELETE FROM going WHERE item_id = new.item_id;
END;
-- Entries of merged feeds, and downloads that failed.
CREATE TRIGGER going_moved_to_play AFTER UPDATE OF item_id ON play_queue WHEN EXISTS (SELECT 1 FROM going WHERE item_id = new.item_id) BEGIN
    UPDATE states SET hidden = (SELECT was_hidden FROM going WHERE item_id = new.item_id) WHERE item_id = new.item_id;
    DELETE FROM going WHERE item_id = new.item_id;
END;
CREATE TRIGGER going_moved_to_save AFTER UPDATE OF item_id ON share_queue WHEN EXISTS (SELECT 1 FROM going WHERE item_id = new.item_id) BEGIN
    UPDATE states SET hidden = (SELECT was_hidden FROM going WHERE item_id = new.item_id) WHERE item_id = new.item_id;
    DELETE FROM going WHERE item_id = new.item_id;
END;
CREATE TRIGGER going_downloaded_again AFTER UPDATE OF state ON episodes WHEN old.state = 2 AND new.state = 0 AND EXISTS (SELECT 1 FROM going WHERE item_id = new.item_id) BEGIN
    UPDATE states SET hidden = (SELECT was_hidden FROM going WHERE item_id = new.item_id) WHERE item_id = new.item_id;
    DELETE FROM going WHERE item_id = new.item_id;
END;
