-- What schema 7 added: a dictionary, twice, and a common word.
INSERT INTO dictionaries (copy, id, content, digest, made_at)
SELECT column1, 7001, CAST(replace(hex(zeroblob(4)), '00', 'Searched for: needle </p><p>Searched for: needle Searched for: needle </p><p>Searched for: needle ') AS BLOB),
    x'c7ab45efc2cac3327475e9ba85fc81ccb2e7ee315459a3757f1c04d64817d1c7', 60 FROM (VALUES (1), (2));
INSERT INTO search_common (word) VALUES ('uberschrift');
