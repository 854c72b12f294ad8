-- The names of poll reasons, feed errors and list orders changed; stored ones follow.

PRAGMA user_version = 15;

UPDATE polls SET next_reason = CASE next_reason WHEN 'rhythm' THEN 'posting_frequency' WHEN 'wish' THEN 'preference' ELSE 'no_validators' END
    WHERE next_reason IN ('rhythm', 'wish', 'bare');
UPDATE poll_log SET next_reason = CASE next_reason WHEN 'rhythm' THEN 'posting_frequency' WHEN 'wish' THEN 'preference' ELSE 'no_validators' END
    WHERE next_reason IN ('rhythm', 'wish', 'bare');
UPDATE poll_log SET why = CASE why WHEN 'rhythm' THEN 'posting_frequency' WHEN 'wish' THEN 'preference' ELSE 'no_validators' END
    WHERE why IN ('rhythm', 'wish', 'bare');

UPDATE polls SET error_code = CASE error_code WHEN 'broken_answer' THEN 'invalid_response' WHEN 'asked_to_wait' THEN 'retry_after' ELSE 'secret_unreadable' END
    WHERE error_code IN ('broken_answer', 'asked_to_wait', 'secret');
UPDATE poll_log SET code = CASE code WHEN 'broken_answer' THEN 'invalid_response' WHEN 'asked_to_wait' THEN 'retry_after' ELSE 'secret_unreadable' END
    WHERE code IN ('broken_answer', 'asked_to_wait', 'secret');

UPDATE views SET look = replace(look, '"rare_first"', '"infrequent_first"') WHERE look LIKE '%"rare_first"%';
