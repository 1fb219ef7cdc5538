CREATE OR REPLACE TRIGGER note_removed_inboxes AFTER DELETE ON inboxes
  FOR EACH ROW EXECUTE FUNCTION note_removed_inboxes();
