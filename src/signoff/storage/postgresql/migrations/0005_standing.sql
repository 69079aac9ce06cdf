-- What holds on all nodes: locks, policies, mode, enforcement, trust, revoked rights. A row a kind,
-- sealed by a key that is in no database; nodes of the version before do not look at it.
CREATE TABLE standing (
    kind text PRIMARY KEY,
    version bigint NOT NULL CHECK (version > 0),
    content bytea NOT NULL,
    seal text NOT NULL,
    changed_on text NOT NULL
);

CREATE FUNCTION refuse_older() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.version <= OLD.version THEN
        RAISE EXCEPTION 'what all nodes hold never goes back';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER standing_goes_forward BEFORE UPDATE ON standing
    FOR EACH ROW EXECUTE FUNCTION refuse_older();
CREATE TRIGGER tell_of_standing AFTER INSERT OR UPDATE OR DELETE ON standing
    FOR EACH ROW EXECUTE FUNCTION tell_of_request();
