-- Files that a person said a document did not become: they are offered, and not taken by themselves.
CREATE TABLE rename_declined (
  document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  PRIMARY KEY (document_id, path)
) STRICT, WITHOUT ROWID;
