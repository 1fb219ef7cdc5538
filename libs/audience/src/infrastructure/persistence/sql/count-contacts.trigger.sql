-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER count_added_contacts AFTER INSERT ON contacts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE OR REPLACE TRIGGER count_removed_contacts AFTER DELETE ON contacts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
