-- Notes inboxes that were removed, also with their team: what was in them is deleted afterwards, portion by portion.
CREATE OR REPLACE FUNCTION note_removed_inboxes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO inbox_removals (inbox_id, team_id) VALUES (OLD.id, OLD.team_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
