-- What an agent said when it was last asked for a session, by a resume or by a question without a turn, and when. Its own
-- word is one fact, the file on the disk another; only the first has to be kept, for asking starts something.

ALTER TABLE thread_session ADD COLUMN agent_has INTEGER CHECK (agent_has IN (0, 1));
ALTER TABLE thread_session ADD COLUMN asked_at INTEGER;
