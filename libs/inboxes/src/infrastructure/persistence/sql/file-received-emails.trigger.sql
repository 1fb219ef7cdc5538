-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER file_received_emails AFTER INSERT ON received_emails REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION file_received_emails();
