CREATE OR REPLACE TRIGGER count_unread_threads AFTER INSERT OR DELETE OR UPDATE OF is_unread, folder ON inbox_threads
  FOR EACH ROW EXECUTE FUNCTION count_unread_threads();
