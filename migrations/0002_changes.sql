-- What became of places: changes of their documents, when a text vanished, and where it may be now.

-- The content that the document's places were last found in; what follows it is a change.
ALTER TABLE document ADD COLUMN version TEXT;

-- When the place's text was first missed, and the content it was missed in. NULL while the text is there.
ALTER TABLE thread_target ADD COLUMN gone_at INTEGER;
ALTER TABLE thread_target ADD COLUMN gone_in TEXT;

-- One content of a document followed another. What became of each place is read from the cached resolutions in both,
-- so a change costs one row. Only the newest of a document are kept.
CREATE TABLE document_change (
  id TEXT PRIMARY KEY NOT NULL,
  document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  before_hash TEXT NOT NULL,
  after_hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- How many places had which outcome.
  same INTEGER NOT NULL,
  moved INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  gone INTEGER NOT NULL,
  back INTEGER NOT NULL
) STRICT;

CREATE INDEX change_by_document ON document_change (document_id, at);
CREATE INDEX change_by_before ON document_change (before_hash);
CREATE INDEX change_by_after ON document_change (after_hash);

-- Part of the cache: where a place that is gone from a content of its document may belong, the best first.
CREATE TABLE place_offer (
  place_id TEXT NOT NULL REFERENCES thread_target (id) ON DELETE CASCADE,
  -- The content of its own document that it is gone from.
  content_hash TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  -- The document it is offered in, and the content that the range is about.
  path TEXT NOT NULL,
  offered_hash TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  line INTEGER NOT NULL,
  quote TEXT NOT NULL,
  PRIMARY KEY (place_id, content_hash, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX offer_by_content ON place_offer (offered_hash);

-- Files that a document without a file may have become.
CREATE TABLE rename_offer (
  document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  -- In per cent.
  alike INTEGER NOT NULL,
  PRIMARY KEY (document_id, path)
) STRICT, WITHOUT ROWID;

-- A version's text is let go when nothing refers to it any more.
CREATE INDEX message_by_content ON message (content_hash) WHERE content_hash IS NOT NULL;
CREATE INDEX document_by_version ON document (version) WHERE version IS NOT NULL;
CREATE INDEX resolution_by_content ON place_resolution (content_hash);
