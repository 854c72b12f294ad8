-- What schema 23 added: where a feed came from that is moved into an account.
UPDATE feed_outbox SET was_local = 1, former_folder = 1;
