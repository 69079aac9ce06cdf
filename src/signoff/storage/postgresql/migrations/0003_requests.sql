-- Requests that people answer: asked on one node, listed, answered and used on any.
-- Words of people and agents are bytes: PostgreSQL has no text with a NUL in it.
CREATE TABLE requests (
    id text PRIMARY KEY,
    nonce text NOT NULL UNIQUE,
    digest text NOT NULL,
    action bytea NOT NULL,
    card bytea NOT NULL,
    level text NOT NULL,
    challenge text NOT NULL,
    steps bytea NOT NULL,
    context bytea NOT NULL,
    verifier text NOT NULL,
    asker text NOT NULL,
    asked_on text NOT NULL,
    claimed_on text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT 'pending',
    -- Seconds since the epoch, by the clock of the database.
    created double precision NOT NULL,
    expires double precision NOT NULL,
    decided double precision,
    consumed double precision,
    decided_by text NOT NULL DEFAULT '',
    channel text NOT NULL DEFAULT '',
    words bytea NOT NULL DEFAULT '',
    edited bytea NOT NULL DEFAULT ''
);
CREATE INDEX requests_by_digest ON requests (digest, state);
CREATE INDEX requests_by_state ON requests (state, created);
CREATE INDEX open_requests_by_end ON requests (expires) WHERE state IN ('pending', 'approved');
CREATE INDEX open_requests_by_asker ON requests (asker) WHERE state = 'pending';
CREATE INDEX settled_requests_by_time ON requests (created)
    WHERE state NOT IN ('pending', 'approved', 'executing');

CREATE FUNCTION refuse_other_ways() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('pending', 'approved'), ('pending', 'denied'), ('pending', 'expired'),
        ('pending', 'withdrawn'), ('approved', 'executing'), ('approved', 'expired'),
        ('executing', 'done'), ('executing', 'failed'), ('executing', 'uncertain')
    ) THEN
        RAISE EXCEPTION 'a request does not go that way';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER states_follow_the_arrows BEFORE UPDATE OF state ON requests
    FOR EACH ROW EXECUTE FUNCTION refuse_other_ways();

CREATE TABLE answers (
    request_id text NOT NULL REFERENCES requests ON DELETE CASCADE,
    step int NOT NULL,
    approver text NOT NULL,
    channel text NOT NULL,
    verdict text NOT NULL,
    proof text NOT NULL,
    words bytea NOT NULL,
    took_s double precision NOT NULL,
    was_fast boolean NOT NULL,
    at_s double precision NOT NULL,
    seal text NOT NULL,
    PRIMARY KEY (request_id, step)
);
-- One person is one yes; a no is welcome from everybody.
CREATE UNIQUE INDEX one_person_one_yes ON answers (request_id, approver) WHERE verdict = 'allow';

CREATE TABLE looks (
    request_id text NOT NULL REFERENCES requests ON DELETE CASCADE,
    approver text NOT NULL,
    first_at double precision NOT NULL,
    misses int NOT NULL DEFAULT 0,
    PRIMARY KEY (request_id, approver)
);

CREATE TABLE tries (
    request_id text NOT NULL REFERENCES requests ON DELETE CASCADE,
    approver text NOT NULL,
    kind text NOT NULL,
    count int NOT NULL,
    PRIMARY KEY (request_id, approver, kind)
);

CREATE TABLE execution_tokens (
    request_id text PRIMARY KEY REFERENCES requests ON DELETE CASCADE,
    files text NOT NULL,
    is_taken boolean NOT NULL DEFAULT false
);

CREATE TABLE grants (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest text NOT NULL,
    shape bytea NOT NULL,
    session bytea NOT NULL,
    agent bytea NOT NULL,
    said bytea NOT NULL,
    author bytea NOT NULL,
    channel text NOT NULL,
    created double precision NOT NULL,
    expires double precision NOT NULL,
    uses bigint NOT NULL DEFAULT 0,
    seal text NOT NULL
);

-- The latest time any node has seen: a clock that was set back ends what is open.
CREATE TABLE latest_time (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    seconds double precision NOT NULL
);
INSERT INTO latest_time (seconds) VALUES (0);

-- Which key the nodes seal answers with: a hash of it, so that a node with another one is refused.
CREATE TABLE fleet_key (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    fingerprint text NOT NULL
);

-- Nodes listen on `signoff`; what they are told is a hint to look, and they look without it too.
CREATE FUNCTION tell_of_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('signoff', 'request');
    RETURN NULL;
END $$;
CREATE TRIGGER tell_of_request AFTER INSERT OR UPDATE OF state ON requests
    FOR EACH ROW EXECUTE FUNCTION tell_of_request();
CREATE TRIGGER tell_of_answer AFTER INSERT ON answers
    FOR EACH ROW EXECUTE FUNCTION tell_of_request();
CREATE TRIGGER tell_of_grant AFTER INSERT OR DELETE ON grants
    FOR EACH ROW EXECUTE FUNCTION tell_of_request();
