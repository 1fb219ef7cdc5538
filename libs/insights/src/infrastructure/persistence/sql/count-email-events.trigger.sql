-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER count_email_events AFTER INSERT ON email_events REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION count_email_events();
