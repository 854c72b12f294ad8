-- Parameters of errors, so that the catalogues word them: explained in src/table/polls.rs, src/table/poll_log.rs and src/table/downloads.rs.

PRAGMA user_version = 16;

-- JSON objects of names and values.
ALTER TABLE polls ADD COLUMN error_parameters TEXT NOT NULL DEFAULT '{}';
ALTER TABLE poll_log ADD COLUMN parameters TEXT NOT NULL DEFAULT '{}';
ALTER TABLE ahead ADD COLUMN error_code TEXT;
ALTER TABLE ahead ADD COLUMN error_parameters TEXT NOT NULL DEFAULT '{}';

-- Errors of older versions become those codes of today that need no more than was stored. The English texts stay.
UPDATE polls SET error_parameters = json_object(iif(error_code = 'http_status', 'status', 'host'), error_detail)
WHERE error_detail IS NOT NULL AND error_code IN ('http_status', 'host_not_found', 'host_unreachable', 'timeout', 'parked');
UPDATE polls SET error_code = CASE
    WHEN error_code = 'http_status' AND error_detail = '401' THEN 'unauthorized'
    WHEN error_code = 'http_status' AND error_detail = '403' THEN 'forbidden'
    WHEN error_code = 'http_status' AND error_detail = '404' THEN 'http_not_found'
    WHEN error_code = 'http_status' AND error_detail = '410' THEN 'gone'
    WHEN error_code = 'http_status' AND error_detail = '429' THEN 'too_many_requests'
    WHEN error_code = 'tls' THEN 'tls_failed'
    ELSE error_code END
WHERE error_code IN ('http_status', 'tls');

UPDATE ahead SET error_code = CASE
    WHEN error = 'the feed names no page for this article' THEN 'no_page'
    WHEN error LIKE 'what is there is no web page but %' THEN 'not_a_page'
    WHEN error LIKE 'no article was found in the page%' THEN 'no_article'
    WHEN error LIKE 'the page shows less than the feed does%' THEN 'less_text'
    END
WHERE error IS NOT NULL;
