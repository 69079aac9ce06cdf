-- The record: one hash chain a node, and what sessions did.
CREATE TABLE nodes (
    name text PRIMARY KEY,
    seq bigint NOT NULL DEFAULT 0,
    hash bytea NOT NULL DEFAULT '\x0000000000000000000000000000000000000000000000000000000000000000'
);

CREATE TABLE records (
    position bigint GENERATED ALWAYS AS IDENTITY,
    node text NOT NULL REFERENCES nodes,
    seq bigint NOT NULL CHECK (seq > 0),
    body bytea NOT NULL,
    prev bytea NOT NULL,
    hash bytea NOT NULL,
    leaf bytea NOT NULL,
    PRIMARY KEY (node, seq),
    UNIQUE (node, prev)  -- no entry has two that follow it
);
CREATE INDEX records_by_position ON records (position);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a record is never changed or deleted';
END $$;
CREATE TRIGGER records_are_never_changed BEFORE UPDATE OR DELETE ON records
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER records_are_never_emptied BEFORE TRUNCATE ON records
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What sessions did: memory, not record. `at` says in which order.
CREATE SEQUENCE fact_order INCREMENT 100000;
CREATE TABLE session_facts (
    agent bytea NOT NULL,
    session bytea NOT NULL,
    kind text NOT NULL,
    item bytea NOT NULL,
    count bigint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (agent, session, kind, item)
);
