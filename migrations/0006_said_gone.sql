-- When a person said that a place's text is gone for good: nothing is offered for it until the text was there again.
ALTER TABLE thread_target ADD COLUMN said_gone_at INTEGER;
