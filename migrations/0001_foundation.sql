-- The record of REX: workspaces, documents, threads with their places, and every conversation entry by entry.
--
-- Times are integer milliseconds since the epoch. Ids are lower-case canonical UUIDs, but for those of documents,
-- which never leave this file. Wide columns stand last in their tables, so that a narrow read stays narrow.
-- Words in CHECK constraints are the words of the wire. Nothing here says which version a comment is about: where its
-- places resolve is what it is about.

-- A folder that REX was opened on, known by its canonical path.
CREATE TABLE workspace (
  id TEXT PRIMARY KEY NOT NULL,
  root TEXT NOT NULL UNIQUE,
  -- The number the next thread gets. It only grows, so that no number is ever used again.
  next_number INTEGER NOT NULL DEFAULT 1,
  -- The person said go on without an enforced sandbox here.
  unenforced_accepted INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  opened_at INTEGER NOT NULL
) STRICT;

-- A file that a place is or was in. A row outlives the file: its comments are shown as missing, never lost.
CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  UNIQUE (workspace_id, path)
) STRICT;

-- The text of a version that an anchor refers to, once per hash, compressed with zstd.
CREATE TABLE snapshot (
  hash TEXT PRIMARY KEY NOT NULL,
  size INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;

-- Threads that a person put together.
CREATE TABLE thread_group (
  id TEXT PRIMARY KEY NOT NULL,
  workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position INTEGER NOT NULL
) STRICT;

-- One comment. The columns from `title` to `gone_places` follow from other rows and are kept in the same write as those,
-- so that the list reads one row per thread.
CREATE TABLE thread (
  id TEXT PRIMARY KEY NOT NULL,
  workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  -- The person's own word. Only Reopen leaves `resolved`.
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved')),
  -- Kept for oneself, never sent. Stored, not derived: a prompt that failed has no answer either.
  is_note INTEGER NOT NULL DEFAULT 0 CHECK (is_note IN (0, 1)),
  name TEXT,
  group_id TEXT REFERENCES thread_group (id) ON DELETE SET NULL,
  position INTEGER,
  created_at INTEGER NOT NULL,
  -- Hash of the request that made it: a repeat is harmless, another body under the same id is refused.
  created_from BLOB,
  -- Name, else the first message of the person, else the note; NULL is untitled.
  title TEXT,
  message_count INTEGER NOT NULL DEFAULT 0,
  -- A person's last act, or the end of the last run; never an agent's tokens.
  last_activity_at INTEGER NOT NULL,
  -- The place in the order that the next entry gets.
  next_seq INTEGER NOT NULL DEFAULT 0,
  -- The newest entry of an agent, and the newest entry the person read.
  last_reply_seq INTEGER NOT NULL DEFAULT -1,
  read_seq INTEGER NOT NULL DEFAULT -1,
  last_run TEXT CHECK (last_run IN ('done', 'failed', 'refused', 'stopped', 'interrupted')),
  -- When it was first sent.
  sent_at INTEGER,
  -- Places whose text no longer exists and that nothing replaces.
  gone_places INTEGER NOT NULL DEFAULT 0,
  -- Derived whenever it is read, never stored in the row.
  lane TEXT NOT NULL GENERATED ALWAYS AS (
    CASE
      WHEN status = 'resolved' THEN 'resolved'
      WHEN gone_places > 0 THEN 'gone'
      WHEN is_note THEN 'note'
      WHEN sent_at IS NULL THEN 'draft'
      ELSE 'open'
    END
  ) VIRTUAL,
  -- What stands in the composer and was not sent.
  draft_mode TEXT CHECK (draft_mode IN ('ask', 'act')),
  draft_sdk TEXT,
  draft_gateway TEXT,
  draft_model TEXT,
  draft_text TEXT NOT NULL DEFAULT '',
  -- What the person typed for oneself.
  note TEXT,
  UNIQUE (workspace_id, number)
) STRICT;

CREATE INDEX thread_by_activity ON thread (workspace_id, last_activity_at DESC, id DESC);
CREATE INDEX thread_by_lane ON thread (workspace_id, lane, last_activity_at DESC, id DESC);
CREATE INDEX thread_by_group ON thread (group_id) WHERE group_id IS NOT NULL;

-- One place of a thread. The columns from `kind` to `quote` are its anchor and never change.
CREATE TABLE thread_target (
  id TEXT PRIMARY KEY NOT NULL,
  thread_id TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  -- The order in which the thread's places were added.
  ordinal INTEGER NOT NULL,
  document_id INTEGER NOT NULL REFERENCES document (id),
  kind TEXT NOT NULL CHECK (kind IN ('text', 'section', 'cell', 'row', 'image', 'document')),
  -- UTF-8 byte offsets in the snapshot.
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  snapshot TEXT NOT NULL REFERENCES snapshot (hash),
  quote TEXT NOT NULL,
  -- Whether it resolves in the file as it is now; kept for the list.
  state TEXT NOT NULL CHECK (state IN ('exact', 'moved', 'changed', 'gone', 'unknown')),
  -- The message that added it; NULL waits for the thread's next prompt.
  message_id TEXT,
  -- The place this one stands in for. A replaced place does not count any more.
  replaces TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (thread_id, ordinal)
) STRICT;

CREATE INDEX target_by_document ON thread_target (document_id, thread_id);
CREATE INDEX target_by_replaced ON thread_target (replaces) WHERE replaces IS NOT NULL;
CREATE INDEX target_by_snapshot ON thread_target (snapshot);

-- A cache: where a place stands in a version of its document. The newest `id` of a place is its present standing, so
-- text that comes back is found without resolving again.
CREATE TABLE place_resolution (
  id INTEGER PRIMARY KEY,
  place_id TEXT NOT NULL REFERENCES thread_target (id) ON DELETE CASCADE,
  -- The content the place was resolved in, and the resolver that did it.
  content_hash TEXT NOT NULL,
  resolver INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('exact', 'moved', 'changed', 'gone')),
  start INTEGER,
  "end" INTEGER,
  quote TEXT,
  UNIQUE (place_id, content_hash, resolver)
) STRICT;

CREATE INDEX resolution_by_place ON place_resolution (place_id, id) WHERE start IS NOT NULL;

-- One agent process's work on one prompt of the person.
CREATE TABLE run (
  id TEXT PRIMARY KEY NOT NULL,
  thread_id TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  -- The person's message. A retry is another run of the same message.
  message_id TEXT NOT NULL,
  -- The agent's message.
  reply_id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (
    state IN ('queued', 'running', 'done', 'failed', 'refused', 'stopped', 'interrupted')
  ),
  mode TEXT NOT NULL CHECK (mode IN ('ask', 'act')),
  sdk TEXT NOT NULL,
  gateway_id TEXT NOT NULL,
  model TEXT,
  memory TEXT CHECK (memory IN ('new', 'resumed', 'replayed', 'seeded')),
  -- From spawn to the first word.
  first_word_ms INTEGER,
  -- The agent's own session.
  session_id TEXT,
  -- The process, for the sweep after a crash: a pid alone may have been given to another program.
  pid INTEGER,
  process_started INTEGER,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- Hash of the prompt as it was sent: the same again is harmless, another under the same id is refused.
  prompt_hash BLOB NOT NULL,
  failure TEXT,
  -- Small records of the wire, written once and read whole.
  forecast TEXT,
  refusal TEXT,
  receipt TEXT
) STRICT;

-- At most one run per thread is going on.
CREATE UNIQUE INDEX run_going ON run (thread_id) WHERE state = 'running';
CREATE INDEX run_waiting ON run (thread_id, started_at) WHERE state = 'queued';
CREATE INDEX run_by_thread ON run (thread_id, started_at);
CREATE INDEX run_by_message ON run (message_id, started_at);
CREATE INDEX run_by_wait ON run (sdk, gateway_id, started_at) WHERE first_word_ms IS NOT NULL;

-- One entry of a conversation: its smallest unit. `seq` is dense per thread from 0 and the only order.
CREATE TABLE message (
  id TEXT PRIMARY KEY NOT NULL,
  thread_id TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  -- NULL while the person's message waits behind a run: it has no place in the order yet.
  seq INTEGER,
  -- What the page shows as one message.
  message_id TEXT NOT NULL,
  -- 1 on the first entry of a message; a notice opens none.
  opens INTEGER NOT NULL CHECK (opens IN (0, 1)),
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  kind TEXT NOT NULL CHECK (
    kind IN ('text', 'thinking', 'toolCall', 'toolResult', 'image', 'notice', 'other')
  ),
  run_id TEXT REFERENCES run (id) ON DELETE CASCADE,
  mode TEXT NOT NULL CHECK (mode IN ('ask', 'act')),
  sdk TEXT NOT NULL,
  gateway_id TEXT NOT NULL,
  model TEXT,
  -- Written at the end of a run to the last entry of its reply. Unknown is NULL, never 0.
  cost_usd REAL,
  tokens_input INTEGER,
  tokens_output INTEGER,
  tokens_cache_read INTEGER,
  tokens_cache_write INTEGER,
  duration_ms INTEGER,
  -- On the first entry of a person's message: the version of its first place's document when it was stored.
  content_hash TEXT,
  created_at INTEGER NOT NULL,
  is_error INTEGER CHECK (is_error IN (0, 1)),
  tool_name TEXT,
  tool_call_id TEXT,
  -- A notice's name, such as `modeChange`.
  notice TEXT,
  -- An image's media type.
  media_type TEXT,
  -- The type word of an entry that this version does not model.
  original_type TEXT,
  -- Of text, thinking and tool results.
  text TEXT,
  -- JSON: a tool call's input; what a notice or an entry of unknown type carries.
  tool_input TEXT,
  payload TEXT,
  image BLOB,
  UNIQUE (thread_id, seq)
) STRICT;

CREATE INDEX message_opening ON message (thread_id, seq) WHERE opens = 1;
CREATE INDEX message_by_message ON message (message_id, seq);
CREATE INDEX message_by_run ON message (run_id);
CREATE INDEX message_notice ON message (thread_id, notice, seq) WHERE kind = 'notice';
CREATE INDEX message_cost ON message (thread_id) WHERE cost_usd IS NOT NULL OR tokens_input IS NOT NULL;

-- A question an agent put to the person.
CREATE TABLE dialog (
  id TEXT PRIMARY KEY NOT NULL,
  thread_id TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('permission', 'question')),
  state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'expired')),
  answer TEXT CHECK (answer IN ('allowOnce', 'allowThread', 'deny')),
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  title TEXT NOT NULL,
  action TEXT,
  command TEXT,
  path TEXT,
  diff TEXT,
  -- JSON: the answers a question offers.
  options TEXT NOT NULL,
  answer_text TEXT
) STRICT;

CREATE INDEX dialog_open ON dialog (thread_id) WHERE state = 'open';
CREATE INDEX dialog_by_run ON dialog (run_id);

-- A named model endpoint. The key itself is never stored, only where it stands.
CREATE TABLE agent_gateway (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  -- NULL is the program's own.
  base_url TEXT,
  -- `env:NAME` or `file:PATH`.
  key_ref TEXT,
  created_at INTEGER NOT NULL
) STRICT;

-- The agent programs a gateway serves. None is: all, as for the built-in one.
CREATE TABLE gateway_sdk (
  gateway_id TEXT NOT NULL REFERENCES agent_gateway (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  sdk TEXT NOT NULL,
  PRIMARY KEY (gateway_id, ordinal),
  UNIQUE (gateway_id, sdk)
) STRICT, WITHOUT ROWID;

-- The models a gateway offers, in the order they are shown.
CREATE TABLE gateway_model (
  gateway_id TEXT NOT NULL REFERENCES agent_gateway (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  model TEXT NOT NULL,
  PRIMARY KEY (gateway_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Every agent program's own sign-in.
INSERT INTO agent_gateway (id, name, created_at) VALUES ('default', 'Default', 0);

-- What REX knows of an agent's own log: a cache that lets the next turn go on. Losing a row costs a replay, no word.
CREATE TABLE thread_session (
  thread_id TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  sdk TEXT NOT NULL,
  gateway_id TEXT NOT NULL REFERENCES agent_gateway (id) ON DELETE CASCADE,
  -- The gateway's address when it was opened: another server has never seen this session.
  base_url TEXT,
  -- The agent's own id; NULL until it is known.
  session_id TEXT,
  created_at INTEGER NOT NULL,
  -- The folder it was started in.
  folder TEXT NOT NULL,
  -- Sessions opened for this row so far; part of the id where the agent takes ours.
  n INTEGER NOT NULL,
  -- When a turn in it last finished; without one there is nothing to go on from.
  finished_at INTEGER,
  PRIMARY KEY (thread_id, sdk, gateway_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_gateway ON thread_session (gateway_id);

-- An act that can be taken back for 24 hours.
CREATE TABLE undo (
  id TEXT PRIMARY KEY NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('deleteThread', 'removePlace')),
  workspace_id TEXT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  thread_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX undo_by_age ON undo (created_at);

-- The rows such an act removed, one each, in the order that puts them back.
CREATE TABLE removed_row (
  undo_id TEXT NOT NULL REFERENCES undo (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  from_table TEXT NOT NULL,
  -- JSON: column to value.
  content TEXT NOT NULL,
  PRIMARY KEY (undo_id, ordinal)
) STRICT;

-- Browsers that signed in, each with a secret of its own, kept as its hash.
CREATE TABLE browser (
  id TEXT PRIMARY KEY NOT NULL,
  secret_hash BLOB NOT NULL UNIQUE,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT;

-- Choices that hold for the whole home.
CREATE TABLE setting (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
