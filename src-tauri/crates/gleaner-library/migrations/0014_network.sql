-- Which network a feed is on, learned from its first answer: explained in src/table/polls.rs.

PRAGMA user_version = 14;

-- NULL: not known yet; 0: public addresses; 1: private addresses.
ALTER TABLE polls ADD COLUMN private INTEGER;
CREATE INDEX polls_private ON polls (feed_id) WHERE private = 1;
