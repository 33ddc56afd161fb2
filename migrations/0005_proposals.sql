-- What act runs want changed, what a person said to each piece of it, and the writes that followed.

-- A changed version of documents that one act run produced. A newer one of the same thread may stand in for it.
CREATE TABLE proposal (
  id TEXT PRIMARY KEY NOT NULL,
  thread_id TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  run_id TEXT NOT NULL UNIQUE REFERENCES run (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  superseded_by TEXT
) STRICT;

CREATE INDEX proposal_by_thread ON proposal (thread_id, created_at);

-- One file of it. Paths, contents and modes before and after: no `old_path` is a file made, no `new_path` one removed.
CREATE TABLE proposal_file (
  id INTEGER PRIMARY KEY,
  proposal_id TEXT NOT NULL REFERENCES proposal (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  change TEXT NOT NULL CHECK (change IN ('edit', 'create', 'delete', 'rename', 'mode')),
  old_path TEXT,
  new_path TEXT,
  old_hash TEXT REFERENCES snapshot (hash),
  new_hash TEXT REFERENCES snapshot (hash),
  old_mode INTEGER,
  new_mode INTEGER,
  -- Whether it is compared by lines.
  is_text INTEGER NOT NULL CHECK (is_text IN (0, 1)),
  UNIQUE (proposal_id, ordinal)
) STRICT;

CREATE INDEX proposal_file_by_old ON proposal_file (old_hash);
CREATE INDEX proposal_file_by_new ON proposal_file (new_hash);

-- One piece that is accepted or rejected: a stretch of lines, or what happens to the file as a whole.
CREATE TABLE proposal_hunk (
  id TEXT PRIMARY KEY NOT NULL,
  file_id INTEGER NOT NULL REFERENCES proposal_file (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('lines', 'file')),
  -- Lines counted from 0, and their bytes in the sources; all 0 for the whole file.
  old_line INTEGER NOT NULL,
  old_lines INTEGER NOT NULL,
  new_line INTEGER NOT NULL,
  new_lines INTEGER NOT NULL,
  old_start INTEGER NOT NULL,
  old_end INTEGER NOT NULL,
  new_start INTEGER NOT NULL,
  new_end INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'rejected')),
  -- What the person wrote instead of the proposed lines; NULL takes them as they are.
  text TEXT,
  UNIQUE (file_id, ordinal)
) STRICT;

-- Places that stand in a file's new text. As long as that is open, they are not gone.
CREATE TABLE proposal_place (
  file_id INTEGER NOT NULL REFERENCES proposal_file (id) ON DELETE CASCADE,
  place_id TEXT NOT NULL REFERENCES thread_target (id) ON DELETE CASCADE,
  PRIMARY KEY (file_id, place_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX proposal_place_by_place ON proposal_place (place_id);

-- Writing into a person's files: one accept, or the taking back of one. It is the journal while it goes on, and what
-- an undo reads afterwards.
CREATE TABLE file_act (
  id TEXT PRIMARY KEY NOT NULL,
  proposal_id TEXT NOT NULL REFERENCES proposal (id) ON DELETE CASCADE,
  -- The accept that this takes back.
  takes_back TEXT,
  -- `staged`: new contents are being laid beside their files, none of which has changed. `going`: every one of them
  -- is there, and the files get them. `done`: all have.
  state TEXT NOT NULL CHECK (state IN ('staged', 'going', 'done')),
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX file_act_by_proposal ON file_act (proposal_id, at);
CREATE INDEX file_act_unfinished ON file_act (state) WHERE state <> 'done';

-- One file of it. No content is no file.
CREATE TABLE file_write (
  act_id TEXT NOT NULL REFERENCES file_act (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  path TEXT NOT NULL,
  before_hash TEXT REFERENCES snapshot (hash),
  after_hash TEXT REFERENCES snapshot (hash),
  before_mode INTEGER,
  after_mode INTEGER,
  -- The name of the file that holds the new content until it is put in place.
  staged_as TEXT NOT NULL,
  PRIMARY KEY (act_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_write_by_before ON file_write (before_hash);
CREATE INDEX file_write_by_after ON file_write (after_hash);

-- The hunks it is about, with the person's own text.
CREATE TABLE file_act_hunk (
  act_id TEXT NOT NULL REFERENCES file_act (id) ON DELETE CASCADE,
  hunk_id TEXT NOT NULL REFERENCES proposal_hunk (id) ON DELETE CASCADE,
  text TEXT,
  PRIMARY KEY (act_id, hunk_id)
) STRICT, WITHOUT ROWID;
