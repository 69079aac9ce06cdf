-- Tenants: teams or projects that share the tables and see nothing of each other. Whose a row is
-- follows from the role that connected, which no statement of that role can change. Rows and roles
-- of before belong to the default tenant, ''. Nothing is switched on before the first tenant is
-- added, so backups and nodes of the version before go on as they did.

CREATE TABLE tenants (
    name text PRIMARY KEY CHECK (name = '' OR name ~ '^[a-z][a-z0-9-]{0,39}$'),
    -- Nobody can listen to a channel whose name they do not know.
    channel text NOT NULL UNIQUE
);
INSERT INTO tenants VALUES ('', 'signoff');

CREATE TABLE tenant_roles (
    role name PRIMARY KEY,
    tenant text NOT NULL REFERENCES tenants
);
INSERT INTO tenant_roles SELECT DISTINCT pg_get_userbyid(given.grantee), ''
    FROM pg_class, aclexplode(relacl) AS given
    WHERE oid = 'records'::regclass AND given.privilege_type = 'INSERT'
    AND given.grantee NOT IN (0, relowner);

-- Of the role that connected: neither SET ROLE nor a function of another role changes it. Within
-- this function the current user is who owns the tables.
CREATE FUNCTION own_tenant() RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found text;
BEGIN
    SELECT tenant INTO found FROM signoff.tenant_roles WHERE role = session_user;
    IF found IS NULL AND pg_has_role(session_user, current_user, 'MEMBER') THEN
        found := '';
    END IF;
    RETURN found;  -- NULL: it sees nothing
END $$;

CREATE FUNCTION own_channel() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT channel FROM signoff.tenants WHERE name = signoff.own_tenant()
$$;

-- Advisory locks are the whole database's: each tenant has numbers that the others cannot guess.
CREATE FUNCTION own_lock(number bigint) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE WHEN name = '' THEN number ELSE hashtextextended(channel || number, 0) END
    FROM signoff.tenants WHERE name = signoff.own_tenant()
$$;

CREATE OR REPLACE FUNCTION tell_of_request() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify(channel, 'request') FROM signoff.tenants
        WHERE name = coalesce(NEW.tenant, OLD.tenant);
    RETURN NULL;
END $$;

-- Each table says whose a row is. Adding a constant rewrites no table.
ALTER TABLE nodes ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE records ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE session_facts ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE requests ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE answers ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE looks ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE tries ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE execution_tokens ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE grants ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE latest_time ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE fleet_key ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE kept_answers ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE standing ADD tenant text NOT NULL DEFAULT '';

-- Where few rows are added, the database fills it in; entries and facts come with it.
ALTER TABLE nodes ALTER tenant SET DEFAULT own_tenant();
ALTER TABLE requests ALTER tenant SET DEFAULT own_tenant();
ALTER TABLE answers ALTER tenant SET DEFAULT own_tenant();
ALTER TABLE looks ALTER tenant SET DEFAULT own_tenant();
ALTER TABLE tries ALTER tenant SET DEFAULT own_tenant();
ALTER TABLE execution_tokens ALTER tenant SET DEFAULT own_tenant();
ALTER TABLE grants ALTER tenant SET DEFAULT own_tenant();
ALTER TABLE latest_time ALTER tenant SET DEFAULT own_tenant();
ALTER TABLE fleet_key ALTER tenant SET DEFAULT own_tenant();
ALTER TABLE kept_answers ALTER tenant SET DEFAULT own_tenant();
ALTER TABLE standing ALTER tenant SET DEFAULT own_tenant();

-- Of these there is one a tenant; keys that are wider refuse nothing a node of before writes.
ALTER TABLE latest_time DROP CONSTRAINT latest_time_pkey, ADD PRIMARY KEY (only_row, tenant);
ALTER TABLE fleet_key DROP CONSTRAINT fleet_key_pkey, ADD PRIMARY KEY (only_row, tenant);
ALTER TABLE standing DROP CONSTRAINT standing_pkey, ADD PRIMARY KEY (kind, tenant);

CREATE POLICY own_tenant ON requests USING (tenant = (SELECT own_tenant()));
CREATE POLICY own_tenant ON grants USING (tenant = (SELECT own_tenant()));
CREATE POLICY own_tenant ON latest_time USING (tenant = (SELECT own_tenant()));
CREATE POLICY own_tenant ON fleet_key USING (tenant = (SELECT own_tenant()));
CREATE POLICY own_tenant ON standing USING (tenant = (SELECT own_tenant()));

-- What belongs to a request belongs to its tenant: of others none is seen here.
CREATE POLICY own_tenant ON answers USING (tenant = (SELECT own_tenant())) WITH CHECK (
    tenant = (SELECT own_tenant()) AND EXISTS (SELECT FROM requests WHERE id = request_id));
CREATE POLICY own_tenant ON looks USING (tenant = (SELECT own_tenant())) WITH CHECK (
    tenant = (SELECT own_tenant()) AND EXISTS (SELECT FROM requests WHERE id = request_id));
CREATE POLICY own_tenant ON tries USING (tenant = (SELECT own_tenant())) WITH CHECK (
    tenant = (SELECT own_tenant()) AND EXISTS (SELECT FROM requests WHERE id = request_id));
CREATE POLICY own_tenant ON execution_tokens USING (tenant = (SELECT own_tenant())) WITH CHECK (
    tenant = (SELECT own_tenant()) AND EXISTS (SELECT FROM requests WHERE id = request_id));

-- The keys of large tables stay as they are: nodes of the version before name them (ON CONFLICT),
-- and another index takes longer than nodes wait. So values of a tenant begin with its name, and no
-- tenant can take, or ask for, a key of another one.
CREATE POLICY own_tenant ON nodes USING (tenant = (SELECT own_tenant())) WITH CHECK (
    tenant = (SELECT own_tenant()) AND CASE tenant
    WHEN '' THEN position('//' IN name) = 0 ELSE starts_with(name, tenant || '//') END);
CREATE POLICY own_tenant ON records USING (tenant = (SELECT own_tenant())) WITH CHECK (
    tenant = (SELECT own_tenant()) AND CASE tenant
    WHEN '' THEN position('//' IN node) = 0 ELSE starts_with(node, tenant || '//') END);
CREATE POLICY own_tenant ON kept_answers USING (tenant = (SELECT own_tenant())) WITH CHECK (
    tenant = (SELECT own_tenant()) AND CASE tenant
    WHEN '' THEN position('//' IN key) = 0 ELSE starts_with(key, tenant || '//') END);
-- No text in UTF-8 has the byte FF in it.
CREATE POLICY own_tenant ON session_facts USING (tenant = (SELECT own_tenant())) WITH CHECK (
    tenant = (SELECT own_tenant()) AND CASE tenant
    WHEN '' THEN substring(agent FROM 1 FOR 1) <> '\xff'
    ELSE substring(agent FROM 1 FOR length(tenant) + 2) =
        '\xff'::bytea || convert_to(tenant, 'UTF8') || '\xff'::bytea END);

-- Say why row-level security does not bind a role, '' if it does.
CREATE FUNCTION beyond_tenants(asked name) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(string_agg(why, ', ' ORDER BY why), '') FROM (
        SELECT format('`%s` %s', one.rolname, CASE
            WHEN one.rolsuper THEN 'is a superuser'
            WHEN one.rolbypassrls THEN 'has BYPASSRLS'
            -- Before PostgreSQL 16 it can make itself a member of any role.
            WHEN one.rolcreaterole THEN 'has CREATEROLE'
            WHEN one.rolreplication THEN 'has REPLICATION'
            WHEN one.rolname IN ('pg_read_server_files', 'pg_write_server_files',
                'pg_execute_server_program') THEN 'reaches the files of the server'
            WHEN EXISTS (SELECT FROM pg_database WHERE datname = current_database()
                AND datdba = one.oid) THEN 'owns the database'
            WHEN EXISTS (SELECT FROM pg_namespace WHERE nspname = 'signoff'
                AND nspowner = one.oid) OR EXISTS (SELECT FROM pg_class
                WHERE relnamespace = 'signoff'::regnamespace AND relowner = one.oid)
                THEN 'owns the tables'
        END) AS why
        FROM pg_roles AS one
        -- Of a superuser itself, not of all it could become.
        WHERE CASE WHEN (SELECT rolsuper FROM pg_roles WHERE rolname = asked)
            THEN one.rolname = asked ELSE pg_has_role(asked, one.oid, 'MEMBER') END
    ) AS found WHERE why NOT LIKE '%` '
$$;

-- Tables that are open to all tenants: row-level security is not forced, or another policy was added.
CREATE FUNCTION open_tables() RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(string_agg(relname, ', ' ORDER BY relname), '') FROM pg_class
    WHERE relnamespace = 'signoff'::regnamespace AND relkind IN ('r', 'p')
    AND relname NOT IN ('migrations', 'tenants', 'tenant_roles')
    AND NOT (relrowsecurity AND relforcerowsecurity AND (
        SELECT count(*) = 1 AND bool_and(polname = 'own_tenant' AND polcmd = '*'
            AND pg_get_expr(polqual, polrelid) = '(tenant = ' || own || ')'
            -- More that a row must keep is no harm.
            AND (polwithcheck IS NULL OR starts_with(
                pg_get_expr(polwithcheck, polrelid), '((tenant = ' || own || ') AND')))
        FROM pg_policy, (VALUES ('( SELECT signoff.own_tenant() AS own_tenant)')) AS one (own)
        WHERE polrelid = pg_class.oid))
$$;

-- Whether there are others beside the default tenant; told to its roles alone.
CREATE FUNCTION has_tenants() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT signoff.own_tenant() = '' AND EXISTS (SELECT FROM signoff.tenants WHERE name <> '')
$$;

-- Switch row-level security on, and let the roles of tenants work. A table that is added later
-- needs its policy, and this once more.
CREATE FUNCTION protect_tables() RETURNS void
    LANGUAGE plpgsql SET search_path = signoff, pg_temp AS $$
DECLARE
    one record;
    who name;
BEGIN
    IF NOT EXISTS (SELECT FROM tenants WHERE name <> '') THEN
        RETURN;
    END IF;
    FOR one IN SELECT relname FROM pg_class WHERE relnamespace = 'signoff'::regnamespace
        AND relkind IN ('r', 'p') AND relname NOT IN ('migrations', 'tenants', 'tenant_roles')
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', one.relname);
        FOR who IN SELECT role FROM tenant_roles LOOP
            EXECUTE format('GRANT SELECT, INSERT, UPDATE %s ON %I TO %I',
                CASE WHEN one.relname IN ('session_facts', 'requests', 'grants', 'kept_answers',
                    'fleet_key') THEN ', DELETE' ELSE '' END, one.relname, who);
        END LOOP;
    END LOOP;
    FOR who IN SELECT role FROM tenant_roles LOOP
        EXECUTE format('GRANT USAGE ON SCHEMA signoff TO %I', who);
        EXECUTE format('GRANT SELECT ON migrations TO %I', who);
        EXECUTE format('GRANT USAGE ON SEQUENCE fact_order TO %I', who);
    END LOOP;
END $$;

-- Let a role work for a tenant, which is made if it is new; '' is the default tenant.
CREATE FUNCTION add_tenant_role(asked text, who name) RETURNS void
    LANGUAGE plpgsql SET search_path = signoff, pg_temp AS $$
DECLARE
    why text;
BEGIN
    -- One after the other, and none while nodes start.
    PERFORM pg_advisory_xact_lock(7306080001);
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = who) THEN
        RAISE EXCEPTION 'there is no role `%`: make it by CREATE ROLE', who;
    END IF;
    IF EXISTS (SELECT FROM tenant_roles WHERE role = who AND tenant <> asked) THEN
        RAISE EXCEPTION 'role `%` belongs to another tenant', who;
    END IF;
    why := beyond_tenants(who);
    IF why <> '' THEN
        RAISE EXCEPTION 'row-level security does not bind role `%`: %', who, why;
    END IF;
    IF asked <> '' AND EXISTS (SELECT FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner
        WHERE relnamespace = 'signoff'::regnamespace AND (rolsuper OR rolbypassrls)) THEN
        RAISE EXCEPTION 'the tables belong to a superuser, or a role with BYPASSRLS: give them to another role first (REASSIGN OWNED)';
    END IF;
    SELECT string_agg(DISTINCT format('`%s` as `%s`', application_name, usename), ', ') INTO why
        FROM pg_stat_activity JOIN pg_roles ON rolname = usename
        WHERE datname = current_database() AND application_name LIKE 'signoff%'
        AND (rolsuper OR rolbypassrls);
    IF asked <> '' AND why IS NOT NULL THEN
        RAISE EXCEPTION 'nodes are connected with a role that sees all tenants: %', why;
    END IF;
    IF asked <> '' AND NOT EXISTS (SELECT FROM tenants WHERE name <> '') THEN
        -- From now on tenants must not hear when the default tenant is asked.
        UPDATE tenants SET channel = 'signoff_' || replace(gen_random_uuid()::text, '-', '')
            WHERE name = '';
        -- A tenant's role cannot note it when it removes contents.
        UPDATE migrations SET least = greatest(least, 2) WHERE number = 2;
    END IF;
    INSERT INTO tenants VALUES (asked, 'signoff_' || replace(gen_random_uuid()::text, '-', ''))
        ON CONFLICT DO NOTHING;
    INSERT INTO tenant_roles VALUES (who, asked) ON CONFLICT DO NOTHING;
    PERFORM protect_tables();
END $$;

-- Take a role's access away; the rows of its tenant stay.
CREATE FUNCTION remove_tenant_role(who name) RETURNS void
    LANGUAGE plpgsql SET search_path = signoff, pg_temp AS $$
BEGIN
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA signoff FROM %I', who);
    EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA signoff FROM %I', who);
    EXECUTE format('REVOKE ALL ON SCHEMA signoff FROM %I', who);
    DELETE FROM tenant_roles WHERE role = who;
END $$;

REVOKE EXECUTE ON FUNCTION protect_tables(), add_tenant_role(text, name), remove_tenant_role(name)
    FROM PUBLIC;
