-- In a file apart from the function: installing a trigger briefly locks its table against writers; replacing a function does not.
CREATE OR REPLACE TRIGGER count_added_members AFTER INSERT ON segment_contacts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_members();
CREATE OR REPLACE TRIGGER count_removed_members AFTER DELETE ON segment_contacts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_members();
