-- How many events automations have sent one after the other until what this transaction does: 0 unless it is a step of a run.
CREATE OR REPLACE FUNCTION automation_depth() RETURNS smallint LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('postrider.automation_depth', true), ''), '0')::smallint
$$;
