-- Keeps the number of unread threads of each inbox. Those in spam and trash do not count.
CREATE OR REPLACE FUNCTION count_unread_threads() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before integer := CASE WHEN TG_OP <> 'INSERT' AND OLD.is_unread AND OLD.folder NOT IN ('spam', 'trash') THEN 1 ELSE 0 END;
  after integer := CASE WHEN TG_OP <> 'DELETE' AND NEW.is_unread AND NEW.folder NOT IN ('spam', 'trash') THEN 1 ELSE 0 END;
BEGIN
  IF before <> after THEN
    UPDATE inboxes SET unread = unread + after - before
    WHERE id = CASE WHEN TG_OP = 'DELETE' THEN OLD.inbox_id ELSE NEW.inbox_id END;
  END IF;
  RETURN NULL;
END $$;
