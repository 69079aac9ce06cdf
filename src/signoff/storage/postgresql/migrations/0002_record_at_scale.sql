-- A record of millions of entries: cheap to add to, and contents can be removed with their proofs kept.

-- Its keys are hashes, so each entry touched another page of an ever larger index, and after a
-- checkpoint wrote that page to the log as a whole. What it kept is kept without it: a node's head
-- moves from one entry to the next under a lock, and numbers are unique.
ALTER TABLE records DROP CONSTRAINT records_node_prev_key;

-- Rows that are changed again and again stay on their page.
ALTER TABLE nodes SET (fillfactor = 20);
ALTER TABLE session_facts SET (fillfactor = 70);

-- Up to this number contents may have been removed: hashes and leaves stay.
ALTER TABLE nodes ADD removed_upto bigint NOT NULL DEFAULT 0;
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.body = '' AND (NEW.position, NEW.node, NEW.seq, NEW.prev, NEW.hash, NEW.leaf)
            = (OLD.position, OLD.node, OLD.seq, OLD.prev, OLD.hash, OLD.leaf)
            AND EXISTS (SELECT FROM nodes WHERE name = NEW.node AND NEW.seq <= removed_upto) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'a record is never changed or deleted';
END $$;
