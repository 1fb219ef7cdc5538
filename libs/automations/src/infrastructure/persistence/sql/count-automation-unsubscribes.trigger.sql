-- In a file apart from the function: installing a trigger briefly locks the table against writers; replacing a function
-- does not.
CREATE OR REPLACE TRIGGER count_automation_unsubscribes AFTER INSERT ON contact_unsubscribes REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION count_automation_unsubscribes();
