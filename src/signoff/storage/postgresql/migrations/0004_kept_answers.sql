-- Answers to actions with a request id: who asks again, on whichever node, gets the same one.
CREATE TABLE kept_answers (
    key text PRIMARY KEY,
    ticket text NOT NULL UNIQUE,
    digest text NOT NULL,
    files text NOT NULL,
    -- Who is at it, and until when others leave it alone: seconds by the clock of the database.
    holder text NOT NULL,
    held_until double precision NOT NULL,
    answer bytea,
    answered double precision,
    seal text NOT NULL DEFAULT ''
);
CREATE INDEX kept_answers_by_time ON kept_answers (coalesce(answered, held_until));
